-- The subscription types of the messages by which somebody unsubscribed; null: of none, or nobody knows. Subscribing to all of
-- them again removes the entry, and to any type one of none.
alter table email_suppressions add column left_types text[];

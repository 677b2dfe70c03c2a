-- What deliveries of a form's webhook are signed with, sealed under the webhook's id.
alter table webhooks add column signing_secret text;

-- {emails, reply_to_respondent}: whom each submission is mailed to.
alter table forms add column notify json;

-- A refusal that was about the sender (a quota, a login, a reputation) does not count against the recipient's address.
alter table email_messages add column bounce_about_sender boolean;

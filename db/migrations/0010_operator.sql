-- How many recipients an organization may reach in 24 hours once a mail server delivers; null for the limit that the
-- settings of the installation give to all. Only the operator changes it.
alter table organizations add column daily_recipient_limit integer check (daily_recipient_limit >= 0);

-- The recipients that a person confirmed. They count towards that limit until the audience has been stored.
alter table touchpoint_sends add column recipients_confirmed_count integer not null default 0;

-- An operator's invitation to sign up. It proves no address and signs nobody in: it lets the address have an account.
alter table one_time_tokens drop constraint one_time_tokens_purpose_check,
  add constraint one_time_tokens_purpose_check
    check (purpose in ('sign_up', 'sign_in_code', 'reset_password', 'change_email', 'sign_up_invitation'));

-- Sign-ups that a form takes from one network in an hour, for an event. Null: the setting of the installation.
alter table sign_up_forms add column network_limit integer constraint sign_up_forms_network_limit_check check (network_limit between 1 and 10000);

-- By time, for the mails that count towards the daily limit.
create index on sign_ups (organization_id, requested_at);

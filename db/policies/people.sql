-- Rows of one user, whatever the organization.
do $$
declare
  name regclass;
begin
  foreach name in array array['user_addresses', 'user_socials', 'totp_secrets', 'recovery_codes', 'passkeys',
    'idempotency_keys']::regclass[] loop
    execute format('alter table %s enable row level security, force row level security', name);
    execute format('create policy own on %s for all to reachout_app
      using (user_id = current_user_id()) with check (user_id = current_user_id())', name);
    execute format('grant select, insert, update, delete on %s to reachout_app', name);
  end loop;
end
$$;

-- Sign-in acts for nobody yet and needs every account; a transaction that acts for a user changes that user's rows only.
-- Names and addresses of others can be read: members see each other.
alter table users enable row level security, force row level security;
create policy reading on users for select to reachout_app using (true);
create policy own on users for all to reachout_app
  using (current_user_id() is null or id = current_user_id())
  with check (current_user_id() is null or id = current_user_id());
create policy definer on users for select to current_user using (true);

alter table sessions enable row level security, force row level security;
create policy own on sessions for all to reachout_app
  using (current_user_id() is null or user_id = current_user_id())
  with check (current_user_id() is null or user_id = current_user_id());

alter table accounts enable row level security, force row level security;
create policy own on accounts for all to reachout_app
  using (current_user_id() is null or user_id = current_user_id())
  with check (current_user_id() is null or user_id = current_user_id());

grant select, insert, update, delete on users, sessions, accounts to reachout_app;

-- Tables without row-level security: they belong to nobody, or to nobody yet (row-level-security.test.ts has the reasons).
grant select, insert, update, delete on verifications, one_time_tokens, rate_limits, account_email_outbox, account_mailbox_messages
  to reachout_app;
grant select on countries, organization_sizes, organization_contact_types, client_contact_types to reachout_app;

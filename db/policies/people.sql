-- Tables whose rows belong to one user, independent of organizations.
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

-- Tables of sign-in, which runs before a user is known: its own role, `reachout_auth`, can read and write all rows. The
-- role of the operations has only the policies below.
do $$
declare
  name regclass;
begin
  foreach name in array array['users', 'sessions', 'accounts', 'verifications', 'one_time_tokens', 'rate_limits',
    'account_email_outbox', 'account_mailbox_messages']::regclass[]
  loop
    execute format('alter table %s enable row level security, force row level security', name);
    execute format('create policy sign_in on %s for all to reachout_auth using (true) with check (true)', name);
    execute format('grant select, insert, update, delete on %s to reachout_auth', name);
  end loop;
end
$$;

create policy own on users for all to reachout_app
  using (id = current_user_id()) with check (id = current_user_id());
-- Members see each other, and former members with an entry in the audit log. The policies of both tables limit them to one
-- organization.
create policy reading on users for select to reachout_app using (
  id in (select m.user_id from organization_users m) or exists (select from audit_log a where a.user_id = users.id)
);
create policy definer on users for select to current_user using (true);

create policy own on sessions for all to reachout_app
  using (user_id = current_user_id()) with check (user_id = current_user_id());
create policy own on accounts for all to reachout_app
  using (user_id = current_user_id()) with check (user_id = current_user_id());
grant select, insert, update, delete on users, sessions, accounts to reachout_app;

-- Operations queue account email in their own transaction, and count invitations in it for the rate limit. So do pages of websites
-- the uses of a mark, of which the first counts.
create policy counters on rate_limits for all to reachout_app
  using (current_organization_id() is not null and (key like 'invitations %' or key like 'visitor_marks %'))
  with check (current_organization_id() is not null and (key like 'invitations %' or key like 'visitor_marks %'));
grant select, insert, update on rate_limits to reachout_app;
create policy enqueue on account_email_outbox for insert to reachout_app with check (current_user_id() is not null);
grant insert on account_email_outbox to reachout_app;

-- The job runner and the operators' page log in as `reachout_auth` and see the jobs of all organizations. Operations see
-- those of their organization (tenants.sql), and can enqueue jobs of the installation, such as account email.
create policy users_enqueue on jobs for insert to reachout_app
  with check (organization_id is null and current_user_id() is not null);
create policy workers on jobs for all to reachout_auth using (true) with check (true);

-- A worker tells the owners of an organization that one of its domains fails, or that many complain.
create policy enqueue_notices on account_email_outbox for insert to reachout_app
  with check (current_organization_id() is not null and kind in ('domain_failing', 'complaints'));
-- People who sign up for mail of a brand confirm it by mail.
create policy enqueue_confirmations on account_email_outbox for insert to reachout_app
  with check (current_organization_id() is not null and kind = 'confirm_subscription');
create policy tenant_notices on jobs for insert to reachout_app
  with check (organization_id is null and kind = 'account_email' and current_organization_id() is not null);
-- A recipient confirms a request about the own data (operations/data-requests).
create policy enqueue_data_requests on account_email_outbox for insert to reachout_app
  with check (current_organization_id() is not null and kind = 'confirm_data_request');

-- Lists that every user can read (row-level-security.test.ts has the reasons for each table without row-level security).
grant select on countries, organization_sizes, organization_contact_types, client_contact_types, touchpoint_event_types,
  touchpoint_event_actions to reachout_app;
-- The help is for everybody. Operations of operators change it, which log in as `reachout_auth`.
grant select on contents, faq_categories, faqs, help_orders to reachout_app;
grant insert, update, delete on contents, faq_categories, faqs, help_orders to reachout_auth;

-- For check_writes(): its row contains no data of a user or organization.
alter table write_checks enable row level security, force row level security;
create policy anybody on write_checks for all to reachout_app using (true) with check (true);
grant select, insert, update on write_checks to reachout_app;

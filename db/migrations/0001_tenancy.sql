-- PostgreSQL lets everybody run new functions unless told otherwise; here each one is granted by name.
alter default privileges revoke execute on routines from public;

-- Who a transaction acts for. Each transaction starts with `set local app.user_id` and `set local app.organization_id`.
-- A setting that was once set reads as an empty string afterwards, hence nullif.
create function current_organization_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.organization_id', true), '')::uuid;

create function current_user_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.user_id', true), '')::uuid;

-- Puts a tenant table behind row-level security and only then opens it to the server's role.
-- FORCE makes the policies bind the owner too; the owner may read, because the security definer functions run as the
-- owner, and the owner need not be a superuser.
create procedure protect_tenant_table(name regclass)
  language plpgsql
as $$
begin
  execute format('alter table %s enable row level security', name);
  execute format('alter table %s force row level security', name);
  execute format('create policy tenant on %s for all to reachout_app
    using (organization_id = current_organization_id()) with check (organization_id = current_organization_id())', name);
  execute format('create policy definer on %s for select to current_user using (true)', name);
  execute format('grant select, insert, update, delete on %s to reachout_app', name);
end
$$;

revoke all on schema public from public;
grant usage on schema public to reachout_app;
grant execute on function current_organization_id(), current_user_id() to reachout_app;

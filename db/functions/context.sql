-- The organization and user for which a transaction acts. Each transaction starts with `set local app.user_id` and
-- `set local app.organization_id`. In later transactions of the session, such a setting is an empty string, hence nullif.
create function current_organization_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.organization_id', true), '')::uuid;
grant execute on function current_organization_id() to reachout_app;

create function current_user_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.user_id', true), '')::uuid;
grant execute on function current_user_id() to reachout_app;

-- The access scope of the operation within its organization: all of it or, for members whose rules are limited to clients
-- or brands, only those. The server sets it from the rules (identity/access/membership.ts), and the policies in
-- db/policies/access-scope.sql apply it to every statement, so that lists, counts and pages need no conditions for it.
create function has_full_access_scope() returns boolean
  language sql stable parallel safe
  return nullif(current_setting('app.access_scope', true), '') is null;
grant execute on function has_full_access_scope() to reachout_app;

-- Whether a transaction may see content items of everyone, and those without a user; else those that its user created alone,
-- as with a content token, which members make to read their own items. Independent of the access scope, which applies as well.
-- Unlike `is null`, which PostgreSQL takes for rare if it knows nothing about an expression, `is distinct from` is taken for
-- nearly always true.
create function has_full_item_scope() returns boolean
  language sql stable parallel safe
  return current_setting('app.item_scope', true) is distinct from 'own';
grant execute on function has_full_item_scope() to reachout_app;

create function access_scope_client_ids() returns uuid[]
  language sql stable parallel safe
  return coalesce(nullif(current_setting('app.client_ids', true), ''), '{}')::uuid[];
grant execute on function access_scope_client_ids() to reachout_app;

create function access_scope_brand_ids() returns uuid[]
  language sql stable parallel safe
  return coalesce(nullif(current_setting('app.brand_ids', true), ''), '{}')::uuid[];
grant execute on function access_scope_brand_ids() to reachout_app;

-- The organization's id if a limited member can nevertheless read all contacts (or, in the second function, all templates):
-- the access scope then includes those shared by all clients.
create function access_scope_content_organization_ids() returns uuid[]
  language sql stable parallel safe
  return coalesce(nullif(current_setting('app.content_organization_ids', true), ''), '{}')::uuid[];
grant execute on function access_scope_content_organization_ids() to reachout_app;

create function access_scope_template_organization_ids() returns uuid[]
  language sql stable parallel safe
  return coalesce(nullif(current_setting('app.template_organization_ids', true), ''), '{}')::uuid[];
grant execute on function access_scope_template_organization_ids() to reachout_app;

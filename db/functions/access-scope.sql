-- The collections and brands that a limited member can see, for policies (db/policies/access-scope.sql). The policies of the
-- tables that these functions read apply.
-- The policies call functions instead of using sub-selects, because PostgreSQL plans a sub-select with every statement on
-- these tables, even for members who are not limited, and with everything that the policies of its tables read: that took
-- longer than reading a page, and each run of a prepared statement begins and ends all of it. Plans with parallel workers call
-- the functions before it is known whether they are needed; for members who are not limited, they read nothing.

create function access_scope_collections() returns text[]
  language plpgsql stable parallel safe
as $$
begin
  if has_full_access_scope() then return '{}'; end if;
  return array(select c.collection from content_collections c where c.organization_id = current_organization_id());
end
$$;
grant execute on function access_scope_collections() to reachout_app;

create function access_scope_brands() returns uuid[]
  language plpgsql stable parallel safe
as $$
begin
  if has_full_access_scope() then return '{}'; end if;
  return array(select b.id from brands b where b.organization_id = current_organization_id());
end
$$;
grant execute on function access_scope_brands() to reachout_app;

-- What the policies of content_items (db/policies/access-scope.sql) allow a limited member, read below the policies of these tables.
-- They are functions, and no sub-selects of the policies, because PostgreSQL plans a sub-select with every statement on items, also for
-- those who are not limited and with all that the policies of its own tables read: that took longer than to read a page. Plans with parallel
-- workers call them before anybody knows whether they are needed: for those who are not limited, they read nothing.

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

-- Templates that emails use which the member sees.
create function access_scope_templates() returns text[]
  language plpgsql stable parallel safe
as $$
begin
  if has_full_access_scope() then return '{}'; end if;
  return array(
    select e.template_id::text from touchpoint_emails e
    join current_touchpoints t on t.organization_id = e.organization_id and t.id = e.touchpoint_id
    where e.organization_id = current_organization_id() and e.template_id is not null
  );
end
$$;
grant execute on function access_scope_templates() to reachout_app;

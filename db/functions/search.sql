-- Searches among the items of collections.

-- The items of a collection in which a search has to look, at most `max_count`: those whose text is like the pattern, and those that were
-- changed and have no row with their present text yet. Ids alone, also of items beyond the access scope: the caller reads the items
-- themselves, below row-level security. That is why this is a function: PostgreSQL uses an index below a policy for operators that it
-- knows to be leakproof, and `like` is none of them.
--
-- `execute` plans for the pattern at hand: a rare one by the index, one that very many items have by reading until there are enough.
create function search_candidates(of_collection text, pattern text, max_count integer)
  returns table (item_id text)
  language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
begin
  return query execute $statement$
    (
      select t.item_id from public.content_search_texts t
      where t.organization_id::text || ' ' || t.collection = $1::text || ' ' || $2 and t.text like $3
      limit $4
    )
    union all
    (
      select unnest(q.item_ids) from public.content_search_queue q
      where q.organization_id = $1 and q.collection = $2
      limit $4
    )
    limit $4
  $statement$ using public.current_organization_id(), of_collection, pattern, max_count;
end
$$;
grant execute on function search_candidates(text, text, integer) to reachout_app;

-- Organizations with items that are to be indexed, those with the oldest first.
create function organizations_to_index(max_rows integer)
  returns table (organization_id uuid)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
as $$
  select q.organization_id from public.content_search_queue q
  join public.organizations o on o.id = q.organization_id and not o.deleted
  group by q.organization_id
  order by min(q.id)
  limit max_rows
$$;
grant execute on function organizations_to_index(integer) to reachout_app;

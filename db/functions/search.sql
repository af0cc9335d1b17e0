-- Searches among the items of collections.

-- Ids of the items of a collection that a search has to read, at most `max_count`: items whose text matches the pattern, and
-- changed items whose current text is not indexed yet. Includes items outside the access scope; the caller reads the items
-- themselves under row-level security. This is a security definer function because PostgreSQL, under a policy, only uses an
-- index for leakproof operators, and `like` is not leakproof.
--
-- `execute` plans for the actual pattern: an index scan for a rare one; for one that matches very many items, a scan that
-- stops as soon as it has found enough.
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

-- Organizations with items to index, ordered by their oldest entry in the queue.
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

-- Unfolded events that are stored when they are folded: not those whose website has them already. An event whose time was
-- replaced may have arrived before with the time of its client, or with another time of the server.
create view new_visitor_events with (security_invoker = true) as
  select u.ctid as place, u.*
  from unfolded_visitor_events u
  where not exists (select from visitor_events e
      where e.organization_id = u.organization_id and e.touchpoint_id = u.touchpoint_id and e.at = u.at and e.id = u.id)
    and not exists (select from visitor_events e
      where e.organization_id = u.organization_id and e.touchpoint_id = u.touchpoint_id and e.at = u.client_at and e.id = u.id)
    and not exists (select from replaced_visitor_events r
      where r.organization_id = u.organization_id and r.touchpoint_id = u.touchpoint_id and r.id = u.id);

-- All events, also those that are not folded yet.
create view current_visitor_events with (security_invoker = true) as
  select organization_id, touchpoint_id, at, id, type, visitor_id, name, url, path, title, referrer, referrer_host, language,
    country, width, height, user_id, collection, is_bot
  from visitor_events
  union all
  select organization_id, touchpoint_id, at, id, type, visitor_id, name, url, path, title, referrer, referrer_host, language,
    country, width, height, user_id, collection, is_bot
  from new_visitor_events;

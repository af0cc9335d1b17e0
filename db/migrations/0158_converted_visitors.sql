-- Visitors with a conversion are counted from this index alone.
drop index conversions_of_website;
create index conversions_of_website on conversions (organization_id, touchpoint_id, at)
  include (goal_id, value, send_id, visitor_id, event_id);

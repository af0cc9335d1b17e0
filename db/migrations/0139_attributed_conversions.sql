-- What the emails that led to conversions on a website are summed up from, without reading the table.
create index conversions_attributed on conversions (organization_id, touchpoint_id, at)
  include (goal_id, value, email_touchpoint_id, send_id, seq) where send_id is not null;

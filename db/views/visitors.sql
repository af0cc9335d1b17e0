-- Events of visitors of websites, without bots.
create view counted_visitor_events with (security_invoker = true) as
  select * from visitor_events where not is_bot;

-- Visits of websites: the sessions of their visitors whose events are kept.
create view visits with (security_invoker = true) as
  select * from visitor_sessions where events > 0;

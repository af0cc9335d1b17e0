-- When a member confirmed what a send is to send: the next occurrence of a series keeps the time of the confirmation.
alter table touchpoint_send_contents add column confirmed_at timestamptz;
update touchpoint_send_contents c
set confirmed_at = s.created_at
from touchpoint_sends s
where s.organization_id = c.organization_id and s.id = c.send_id;
alter table touchpoint_send_contents
  alter column confirmed_at set default now(),
  alter column confirmed_at set not null;

-- The name that the audience had when the send was confirmed; null for sends of single messages. The audience itself may be
-- renamed, changed or deleted later.
alter table touchpoint_send_contents add column audience_name text;
update touchpoint_send_contents c set audience_name = f.name
from touchpoint_sends s
join touchpoint_emails e on e.organization_id = s.organization_id and e.touchpoint_id = s.touchpoint_id
join filters f on f.organization_id = e.organization_id and f.id = e.filter_id
where c.audience is not null and s.organization_id = c.organization_id and s.id = c.send_id;

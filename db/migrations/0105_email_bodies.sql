-- The MJML source of an email. Until now an email used a template, and a change of the template changed every email that used
-- it. template_id is what the body began from.
alter table touchpoint_emails add column mjml text not null default '' check (octet_length(mjml) <= 1000000);
update touchpoint_emails e set mjml = i.data ->> 'mjml'
from content_items i
where i.organization_id = e.organization_id and i.collection = 'reachout_templates' and i.id = e.template_id::text
  and octet_length(i.data ->> 'mjml') <= 1000000;

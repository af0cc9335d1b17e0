-- Whose opens and clicks are measured in emails of a brand. A new brand is asked; the default is for rows that other
-- statements insert. Brands that exist have measured everybody, and keep that.
alter table brands add column tracking_policy text not null default 'everyone'
  check (tracking_policy in ('everyone', 'with_consent', 'nobody'));
alter table brands alter column tracking_policy set default 'with_consent';

-- `tracked`: whether opens and clicks of the message are measured. It is decided with the audience, and only ever becomes
-- false after that. `tracking_consent`: what the field of the contact said then; null: nothing.
alter table deliveries
  add column tracked boolean not null default true,
  add column tracking_consent boolean;

-- Of messages that are sent: as they were sent. Counted beside the messages in state `sent`.
alter table delivery_results add column tracked boolean not null default true;
alter table delivery_chunks add column not_measured_count integer not null default 0
  check (not_measured_count between 0 and sent_count);
alter table touchpoint_sends add column recipients_not_measured_count integer not null default 0
  check (recipients_not_measured_count between 0 and recipients_total_sent_count);
alter table delivery_result_totals add column not_measured bigint not null default 0;

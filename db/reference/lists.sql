insert into organization_sizes (id, name, position) values
  ('1', 'Just me', 1), ('2-10', '2 to 10 people', 2), ('11-50', '11 to 50 people', 3), ('51-200', '51 to 200 people', 4),
  ('201-1000', '201 to 1,000 people', 5), ('1001+', 'More than 1,000 people', 6)
on conflict (id) do update set name = excluded.name, position = excluded.position;

insert into organization_contact_types (id, name) values
  ('general', 'General'), ('billing', 'Billing'), ('technical', 'Technical'), ('privacy', 'Privacy'), ('management', 'Management')
on conflict (id) do update set name = excluded.name;

insert into client_contact_types (id, name) values
  ('general', 'General'), ('billing', 'Billing'), ('technical', 'Technical'), ('marketing', 'Marketing'), ('approval', 'Approval')
on conflict (id) do update set name = excluded.name;

insert into touchpoint_event_types (touchpoint_type, event_type) values
  ('email', 'SEND_EMAIL'), ('email', 'OPEN_EMAIL'), ('email', 'CLICK'), ('email', 'VISIT'), ('email', 'BOUNCE'), ('email', 'COMPLAINT'),
  ('email', 'UNSUBSCRIBE'), ('website', 'IDENTIFY'), ('website', 'TRACK'), ('website', 'VIEW_PAGE')
on conflict do nothing;

insert into touchpoint_event_actions (id, name, notifier_touchpoint_type, listener_touchpoint_type) values
  ('0190a000-0000-7000-8000-000000000001', 'send_email', 'email', 'email'),
  ('0190a000-0000-7000-8000-000000000002', 'send_email', 'website', 'email'),
  ('0190a000-0000-7000-8000-000000000003', 'send_email', null, 'email'),
  ('0190a000-0000-7000-8000-000000000004', 'stop_email', 'email', 'email'),
  ('0190a000-0000-7000-8000-000000000005', 'stop_email', 'website', 'email'),
  ('0190a000-0000-7000-8000-000000000006', 'stop_email', null, 'email'),
  ('0190a000-0000-7000-8000-000000000007', 'start_tracking', 'email', 'website'),
  ('0190a000-0000-7000-8000-000000000008', 'start_tracking', 'website', 'website'),
  ('0190a000-0000-7000-8000-000000000009', 'stop_tracking', 'email', 'website'),
  ('0190a000-0000-7000-8000-00000000000a', 'stop_tracking', 'website', 'website')
on conflict do nothing;

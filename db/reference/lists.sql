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

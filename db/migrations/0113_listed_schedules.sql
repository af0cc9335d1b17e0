-- Lists of touchpoints show the next schedules of each, and a touchpoint can have thousands of past ones.
drop index touchpoint_schedules_organization_id_touchpoint_id_idx;
create index on touchpoint_schedules (organization_id, touchpoint_id, is_active, start_date);

-- Fields whose values are HTML.
alter table content_fields
  drop constraint content_fields_interface_check,
  add constraint content_fields_interface_check
    check (interface in ('email', 'select', 'tags', 'image', 'rich_text'));

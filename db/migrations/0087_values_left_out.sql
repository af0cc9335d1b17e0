-- An optional value that cannot be read may be left out of its row instead of rejecting it. A row of this table is then one of
-- the file that was imported without the values in `left_out`: [{"field": …, "error": {"code": …, "values": …}}].
alter table content_import_rejections
  add column kind text not null default 'rejected' check (kind in ('rejected', 'left_out')),
  add column left_out jsonb,
  -- Byte offset of the end of the row in the file. Several objects of a JSON file may be on one line.
  add column end_byte bigint,
  add check ((kind = 'left_out') = (left_out is not null));
update content_import_rejections set end_byte = line;
alter table content_import_rejections
  alter column kind drop default,
  alter column end_byte set not null,
  drop constraint content_import_rejections_pkey,
  add constraint content_import_rejections_pkey primary key (organization_id, import_id, kind, end_byte);

alter table content_imports
  -- Values, not rows.
  add column left_out_count bigint not null default 0,
  -- Each row of the file is exactly one of these. Not for imports before it: some had another way of counting.
  add constraint content_imports_rows_check
    check (rows_done = created_count + updated_count + unchanged_count + merged_count + rejected_count) not valid;

-- These reasons are told for single rows now, or not at all.
update content_imports set error = '{"code": "not_in_encoding", "values": {"encoding": "UTF-8"}}' where error ->> 'code' = 'utf16';
update content_imports set error = '{"code": "row_too_long", "values": {"line": 1}}' where error ->> 'code' = 'not_csv';

-- Imports can be checked before they store anything. What they reject, and why they fail, is a code with its values
-- ({"code": …, "values": …}), so that everybody reads it in their own language.
alter table content_imports
  drop constraint content_imports_status_check,
  add constraint content_imports_status_check
    check (status in ('uploading', 'checking', 'checked', 'queued', 'running', 'completed', 'failed')),
  add column merged_count bigint not null default 0,
  drop column error_content,
  add column error jsonb;
-- Sentences in English, which no code tells.
delete from content_import_rejections;
alter table content_import_rejections drop column reason, add column error jsonb not null;

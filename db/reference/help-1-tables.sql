-- The help as this version writes it, each entry in both languages (files help-2-…). help-3-merge.sql merges it into the tables.
create temporary table written_pages (
  position integer, name text, is_draft boolean, en_title text, en_content text, de_title text, de_content text
);

create temporary table written_categories (
  position integer, name text, en_title text, en_description text, de_title text, de_description text
);

create temporary table written_faqs (
  position integer generated always as identity, category text, name text, screens text[],
  en_title text, en_content text, de_title text, de_content text
);

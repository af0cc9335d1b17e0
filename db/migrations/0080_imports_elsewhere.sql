-- Files are also imported into collections of a Directus.
alter table content_imports
  -- The content backend that the collection is of; null for the built-in one. One that is connected later may be another.
  add column endpoint text check (char_length(endpoint) between 1 and 500);

-- What the messages of a chunk have in common, beside their lane: the version of the email, and the time before which they
-- must not leave; null: at once.
alter table delivery_chunks
  add column variant smallint not null default 0 check (variant >= 0),
  add column not_before timestamptz;

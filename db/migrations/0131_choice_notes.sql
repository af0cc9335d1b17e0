-- What a choice that a member enters is based on: for subscribing, what allows it.
alter table topic_choices add column basis text check (char_length(basis) between 1 and 500);

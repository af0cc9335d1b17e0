-- What a member says about a choice that they enter; for subscribing, what allows it.
alter table topic_choices add column note text check (char_length(note) between 1 and 500);

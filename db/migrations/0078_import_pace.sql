-- It rests after each batch, because emails go out; false once it has stopped or ended.
alter table content_imports add column yields_to_sends boolean not null default false;

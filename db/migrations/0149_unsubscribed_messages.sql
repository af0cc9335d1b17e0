-- Whether the contact was marked as unsubscribed when a single message was accepted. In a Directus, nobody else could look.
alter table messages add column is_unsubscribed boolean not null default false;

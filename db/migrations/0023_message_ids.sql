-- With the number of the message, the left side of its Message-ID: a repeat has the same one after a change of SECRET_KEY.
alter table touchpoint_send_contents add column message_id_base uuid not null default gen_random_uuid();

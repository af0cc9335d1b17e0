-- Host of the envelope sender, and address of links, of all messages of a send; null until it starts.
alter table touchpoint_send_contents
  add column bounce_domain text,
  add column public_url text;

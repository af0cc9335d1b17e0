-- What ended earlier tries of a message decides how it goes on.
alter table delivery_retries
  -- Of the attempts: the connection was lost before the server had the text.
  add column interruptions smallint not null default 0,
  -- Of the attempts: nobody knows whether the server has the message.
  add column uncertain smallint not null default 0,
  -- A message is given up a day after it.
  add column first_attempt_at timestamptz not null default now();

-- What becomes of a message that may have been sent, in sends whose confirmation does not say it.
alter table organizations
  add column uncertain_policy text not null default 'retry' check (uncertain_policy in ('retry', 'hold'));

-- An operator's invitation to sign up. It proves no address and signs nobody in: it lets the address have an account.
alter table one_time_tokens drop constraint one_time_tokens_purpose_check;
alter table one_time_tokens add constraint one_time_tokens_purpose_check
  check (purpose in ('sign_up', 'sign_in_code', 'reset_password', 'change_email', 'second_factor', 'passkey', 'sign_up_invitation'));

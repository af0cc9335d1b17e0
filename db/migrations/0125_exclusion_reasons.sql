-- Two more reasons: `exclusionReasons` in the contract.
alter table delivery_exclusions drop constraint delivery_exclusions_reason_check,
  add constraint delivery_exclusions_reason_check check (reason in
    ('no_address', 'invalid_address', 'duplicate_address', 'unsubscribed', 'suppressed', 'not_subscribed', 'paused'));

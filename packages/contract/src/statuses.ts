/** Lists that are not the states of anything (those are in `states/`); a test compares them with the database's. */
export const userStatuses = ['active', 'suspended'] as const;
export const organizationStatuses = ['active', 'inactive', 'suspended'] as const;
/** A delivery is in exactly one of these (docs/sending.md). */
export const deliveryStates = [
  'queued',
  'sending',
  'uncertain',
  'sent',
  'bounced',
  'failed',
  'suppressed',
  'skipped',
  'cancelled',
] as const;
export const uncertainPolicies = ['retry', 'hold'] as const;
export const eventTypes = [
  'SEND_EMAIL',
  'OPEN_EMAIL',
  'CLICK',
  'BOUNCE',
  'COMPLAINT',
  'UNSUBSCRIBE',
] as const;
/** Of background jobs: `open` ones wait or run; `failed` ones had their last attempt. */
export const jobStates = ['open', 'finished', 'failed'] as const;
export const suppressionReasons = ['bounce', 'complaint', 'unsubscribe', 'manual'] as const;
/** Why a matched contact will not be written to. */
export const exclusionReasons = [
  'no_address',
  'invalid_address',
  'duplicate_address',
  'unsubscribed',
  'suppressed',
] as const;

export type OrganizationStatus = (typeof organizationStatuses)[number];
export type DeliveryState = (typeof deliveryStates)[number];
export type UncertainPolicy = (typeof uncertainPolicies)[number];
export type EventType = (typeof eventTypes)[number];
export type ExclusionReason = (typeof exclusionReasons)[number];

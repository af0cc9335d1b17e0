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
/** A contact of a send has a delivery, or is excluded. */
export const recipientStates = [...deliveryStates, 'excluded'] as const;
/** What a recipient list can be filtered by: a state, or all deliveries that ended in another one than sent. */
export const recipientFilters = [...recipientStates, 'not_sent'] as const;
/** The mail provider that takes the mail of a domain. Each has limits of its own, and what it does says nothing about the others. */
export const recipientGroups = [
  'google',
  /** Outlook.com, Hotmail, Live. */
  'outlook',
  /** Companies at Exchange Online. */
  'microsoft_365',
  /** AOL as well. */
  'yahoo',
  /** web.de as well. */
  'gmx',
  't_online',
  'icloud',
  'other',
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
export const suppressionReasons = ['bounce', 'complaint', 'unsubscribe', 'manual'] as const;
/** Why an address gets no mail of a brand, as the SQL function `subscription_state` says it: the first of several counts. */
export const suppressedStates = ['complained', 'unsubscribed', 'blocked', 'bounced'] as const;
/** Whether a contact gets mail of a brand. `no_address`: it has none that mail could be sent to. */
export const subscriptionStates = ['no_address', ...suppressedStates, 'subscribed'] as const;
/** How an address came to be suppressed. `contact`: only the contact's own field says so, and not since when. */
export const suppressionSources = ['link', 'office', 'import', 'bounce', 'complaint', 'contact'] as const;
/** Why a matched contact will not be written to: of several reasons the first in this order. */
export const exclusionReasons = [
  'no_address',
  'invalid_address',
  'duplicate_address',
  'unsubscribed',
  'suppressed',
] as const;

export type OrganizationStatus = (typeof organizationStatuses)[number];
export type DeliveryState = (typeof deliveryStates)[number];
export type RecipientState = (typeof recipientStates)[number];
export type RecipientFilter = (typeof recipientFilters)[number];
export type RecipientGroup = (typeof recipientGroups)[number];
export type UncertainPolicy = (typeof uncertainPolicies)[number];
export type EventType = (typeof eventTypes)[number];
export type SuppressedState = (typeof suppressedStates)[number];
export type SubscriptionState = (typeof subscriptionStates)[number];
export type SuppressionSource = (typeof suppressionSources)[number];
export type SuppressionReason = (typeof suppressionReasons)[number];
export type ExclusionReason = (typeof exclusionReasons)[number];

/**
 * Closed lists without state transitions (those with transitions are in `states/`); a test compares them with the database.
 */
export const userStatuses = ['active', 'suspended'] as const;
export const organizationStatuses = ['active', 'inactive', 'suspended'] as const;
/** The states of a delivery, which is always in exactly one (docs/sending.md). */
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
/** A contact of a send has either a delivery or an exclusion. */
export const recipientStates = [...deliveryStates, 'excluded'] as const;
/** Filters of a recipient list: a state, or `not_sent` for all deliveries that ended in a state other than sent. */
export const recipientFilters = [...recipientStates, 'not_sent'] as const;
/** Why a message was rejected. */
export const bounceClasses = [
  'address_hard',
  'address_likely',
  'domain_hard',
  'routing_soft',
  'mailbox_full',
  'transient',
  'expired',
  /** The sender's IP address, host or domain is not trusted, or sends too much. */
  'reputation',
  /** The sender's address, domain or host name is not accepted, or not proven (SPF, DKIM, DMARC). */
  'authentication',
  'content',
  'too_big',
  'protocol',
  'unknown',
] as const;
export type BounceClass = (typeof bounceClasses)[number];
/** What a recipient did with the message, by which a recipient list can be filtered; the actions of bots do not count. */
export const reactions = ['opened', 'clicked', 'converted', 'unsubscribed', 'complained'] as const;
/**
 * The mail provider that handles a domain's mail. Each has its own limits, and its behavior says nothing about the others.
 */
export const recipientGroups = [
  'google',
  /** Outlook.com, Hotmail and Live. */
  'outlook',
  /** Companies that use Exchange Online. */
  'microsoft_365',
  /** Includes AOL. */
  'yahoo',
  /** Includes web.de. */
  'gmx',
  't_online',
  'icloud',
  'other',
] as const;
/** What becomes of a message that may have been sent: it is sent again once, or kept until a member decides. */
export const uncertainPolicies = ['retry', 'hold'] as const;
export const eventTypes = [
  'SEND_EMAIL',
  'OPEN_EMAIL',
  'CLICK',
  /** A link led a person to a tracked website. */
  'VISIT',
  'BOUNCE',
  'COMPLAINT',
  'UNSUBSCRIBE',
] as const;
/** By which rule a click that first counted as a person's was moved to those of bots. */
export const moveRules = ['all_links', 'before_open'] as const;
export const suppressionReasons = ['bounce', 'complaint', 'unsubscribe', 'manual'] as const;
/** The reasons that are not the decision of the recipient: only these suppressions can be lifted together. */
export const liftableReasons = ['bounce', 'manual'] as const;
/** Why an address gets no email from a brand, as in the SQL function `subscription_state`: the first that applies. */
export const suppressedStates = ['complained', 'unsubscribed', 'blocked', 'bounced', 'paused'] as const;
/** Whether a contact gets email from a brand. `no_address`: the contact has no address that email can be sent to. */
export const subscriptionStates = ['no_address', ...suppressedStates, 'subscribed'] as const;
/** How an address came to be suppressed. `contact`: only known from a field of the contact, without a date. */
export const suppressionSources = ['link', 'office', 'import', 'bounce', 'complaint', 'contact'] as const;
/** What recipients can unsubscribe from, from the smallest to the largest: a larger one includes the smaller ones. */
export const unsubscribedScopes = ['nothing', 'brand', 'organization'] as const;
/** How a recipient's choice came in: on the preference page, with a sign-up, or by a member. */
export const choiceSources = ['preferences', 'sign_up', 'member'] as const;
/** Whose opens and clicks are measured in emails of a brand. */
export const trackingPolicies = ['everyone', 'with_consent', 'nobody'] as const;
/** Why a matched contact is excluded: if several reasons apply, the first in this order. */
export const exclusionReasons = [
  'no_address',
  'invalid_address',
  'duplicate_address',
  'unsubscribed',
  'suppressed',
  /** The topic of the email was declined, or not chosen if it goes to those who chose it alone. */
  'not_subscribed',
  /** Until a time, for all emails of the brand. */
  'paused',
] as const;

export type UserStatus = (typeof userStatuses)[number];
export type OrganizationStatus = (typeof organizationStatuses)[number];
export type DeliveryState = (typeof deliveryStates)[number];
export type RecipientState = (typeof recipientStates)[number];
export type Reaction = (typeof reactions)[number];
export type RecipientGroup = (typeof recipientGroups)[number];
export type UncertainPolicy = (typeof uncertainPolicies)[number];
export type EventType = (typeof eventTypes)[number];
export type MoveRule = (typeof moveRules)[number];
export type SuppressedState = (typeof suppressedStates)[number];
export type SubscriptionState = (typeof subscriptionStates)[number];
export type SuppressionSource = (typeof suppressionSources)[number];
export type UnsubscribedScope = (typeof unsubscribedScopes)[number];
export type ChoiceSource = (typeof choiceSources)[number];
export type TrackingPolicy = (typeof trackingPolicies)[number];
export type SuppressionReason = (typeof suppressionReasons)[number];
export type ExclusionReason = (typeof exclusionReasons)[number];

import type { ExclusionReason, SuppressedState } from '../statuses.ts';

interface Meaning {
  /** The state of an address to whose brand or topic it applies, as the SQL function `subscription_state` gives it; null: none. */
  state: SuppressedState | 'subscribed' | Extract<ExclusionReason, 'not_subscribed'> | null;
  /** Whether it is a refusal by a person: a contact's new address gets it, too. */
  isRefusal: boolean;
}

/**
 * What is stored about an address, by kind and value. An address has one value of a kind for each scope: a brand, or all brands
 * for a suppression alone; for `topic` one of its topics. A pause ends by itself.
 */
export const choiceKinds = {
  suppression: {
    bounce: { state: 'bounced', isRefusal: false },
    complaint: { state: 'complained', isRefusal: true },
    unsubscribe: { state: 'unsubscribed', isRefusal: true },
    manual: { state: 'blocked', isRefusal: false },
  },
  topic: {
    subscribed: { state: 'subscribed', isRefusal: false },
    not_subscribed: { state: 'not_subscribed', isRefusal: true },
  },
  pause: { paused: { state: 'paused', isRefusal: true } },
  /** Whether opens and clicks may be measured: `is_tracked` decides. */
  tracking: { allowed: { state: null, isRefusal: false }, refused: { state: null, isRefusal: true } },
  /** A send that failed at the address, by class, until it expires. Several of a class make a bounce: `failureLimits`. */
  failure: {
    address_likely: { state: null, isRefusal: false },
    domain_hard: { state: null, isRefusal: false },
    routing_soft: { state: null, isRefusal: false },
    mailbox_full: { state: null, isRefusal: false },
    expired: { state: null, isRefusal: false },
    unknown: { state: null, isRefusal: false },
  },
} as const satisfies Record<string, Record<string, Meaning>>;

export type ChoiceKind = keyof typeof choiceKinds;
type ValueOf<K extends ChoiceKind> = K extends ChoiceKind ? keyof (typeof choiceKinds)[K] & string : never;
export type ChoiceValue = ValueOf<ChoiceKind>;

const meanings: [ChoiceValue, Meaning][] = Object.values(choiceKinds).flatMap(
  (values) => Object.entries(values) as [ChoiceValue, Meaning][],
);

/** Values are unique over all kinds. */
export const choiceValues: readonly ChoiceValue[] = meanings.map(([value]) => value);

export const refusals: readonly ChoiceValue[] = meanings.flatMap(([value, { isRefusal }]) =>
  isRefusal ? [value] : [],
);

export type FailureClass = ValueOf<'failure'>;

/** How many sends must fail in a class before the address is suppressed, within how many days, and over how many at least. */
export const failureLimits: Readonly<
  Record<FailureClass, { sends: number; withinDays: number; overDays: number }>
> = {
  address_likely: { sends: 2, withinDays: 30, overDays: 0 },
  // Looked at again a day later: a domain may be missing for hours.
  domain_hard: { sends: 2, withinDays: 30, overDays: 1 },
  routing_soft: { sends: 3, withinDays: 14, overDays: 0 },
  // People empty their mailboxes after a holiday.
  mailbox_full: { sends: 4, withinDays: 60, overDays: 21 },
  expired: { sends: 3, withinDays: 14, overDays: 0 },
  unknown: { sends: 2, withinDays: 30, overDays: 0 },
};

export const isFailureClass = (name: string): name is FailureClass => Object.hasOwn(failureLimits, name);

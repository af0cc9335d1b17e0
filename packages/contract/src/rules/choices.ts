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

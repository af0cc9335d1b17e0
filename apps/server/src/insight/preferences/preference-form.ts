import { endOfPause } from '@reachout/contract/rules/pauses.ts';
import { unsubscribedScopes } from '@reachout/contract/statuses.ts';
import type { PreferenceChange } from '../../contacts/consent/preferences.ts';
import type { ShownPreferences } from './preferences.ts';

// The forms of the preference page, and what they change.

type Change = (form: FormData, before: ShownPreferences, now: Date) => PreferenceChange;

/** The buttons of the page, by their field `change`: what each changes, given what applies. */
const changes = {
  topics: (form, before) => ({ topics: chosenTopics(form, before) }),
  pause: (_form, _before, now) => ({ pausedUntil: endOfPause(now) }),
  end_pause: () => ({ pausedUntil: null }),
  unsubscribe_brand: () => ({ unsubscribedFrom: 'brand' }),
  unsubscribe_organization: () => ({ unsubscribedFrom: 'organization' }),
  resubscribe: () => ({ unsubscribedFrom: 'nothing' }),
  allow_tracking: (_form, before) => chosenTracking(before, true),
  refuse_tracking: (_form, before) => chosenTracking(before, false),
  undo: (form, before, now) => formerState(form, before, now),
} as const satisfies Record<string, Change>;
export type Button = keyof typeof changes;

/** @returns what a form changes; undefined if it is not of this page */
export function changeOf(
  form: FormData | undefined,
): ((before: ShownPreferences, now: Date) => PreferenceChange) | undefined {
  const button = form?.get('change');
  if (form === undefined || typeof button !== 'string' || !Object.hasOwn(changes, button)) return undefined;
  const change: Change = changes[button as Button];
  return (before, now) => change(form, before, now);
}

/** Nothing is stored for a brand that does not ask its recipients. */
export const chosenTracking = (
  { isTrackingAllowed }: ShownPreferences,
  trackingChoice: boolean | null,
): PreferenceChange => (isTrackingAllowed === null ? {} : { trackingChoice });

/** A box that is not checked is not sent: `shown` has the topics that the page had. Only those that differ are stored. */
function chosenTopics(form: FormData, { topics }: ShownPreferences): NonNullable<PreferenceChange['topics']> {
  const shown = new Set(form.getAll('shown'));
  const checked = new Set(form.getAll('topic'));
  return topics
    .filter(({ id, isSubscribed }) => shown.has(id) && checked.has(id) !== isSubscribed)
    .map(({ id, isSubscribed }) => ({ id, isSubscribed: !isSubscribed }));
}

type HiddenFields = readonly (readonly [name: string, value: string])[];

const answers = { yes: true, no: false, none: null } as const;
const answerOf = (choice: boolean | null): string => (choice === null ? 'none' : choice ? 'yes' : 'no');
const readAnswer = (value: unknown): boolean | null | undefined =>
  typeof value === 'string' && Object.hasOwn(answers, value)
    ? answers[value as keyof typeof answers]
    : undefined;

/** The fields of the button that undoes a change: what was before. Empty if nothing was changed. */
export function undoFields(before: ShownPreferences, after: ShownPreferences): HiddenFields {
  const topics = after.topics.flatMap(({ id, choice }) => {
    const former = before.topics.find((topic) => topic.id === id);
    return former === undefined || former.choice === choice
      ? []
      : [[`topic.${id}`, answerOf(former.choice)] as const];
  });
  return [
    ...topics,
    ...(before.unsubscribedFrom === after.unsubscribedFrom
      ? []
      : [['unsubscribed_from', before.unsubscribedFrom] as const]),
    ...(before.pausedUntil === after.pausedUntil
      ? []
      : [['paused_until', before.pausedUntil ?? 'none'] as const]),
    ...(before.trackingChoice === after.trackingChoice
      ? []
      : [['tracking', answerOf(before.trackingChoice)] as const]),
  ];
}

/** Reads `undoFields`. Anybody can change them, and can store with them only what the other buttons store. */
function formerState(form: FormData, before: ShownPreferences, now: Date): PreferenceChange {
  const change: PreferenceChange = {};
  const formerTopics = before.topics.flatMap(({ id }) => {
    const isSubscribed = readAnswer(form.get(`topic.${id}`));
    return isSubscribed === undefined ? [] : [{ id, isSubscribed }];
  });
  if (formerTopics.length > 0) change.topics = formerTopics;
  const scope = unsubscribedScopes.find((known) => known === form.get('unsubscribed_from'));
  if (scope !== undefined) {
    change.unsubscribedFrom = scope;
    change.isUndo = true;
  }
  const until = form.get('paused_until');
  if (until === 'none') change.pausedUntil = null;
  else if (typeof until === 'string') {
    const at = new Date(until);
    if (at > now && at <= endOfPause(now)) change.pausedUntil = at;
  }
  const tracking = readAnswer(form.get('tracking'));
  return tracking === undefined ? change : { ...change, ...chosenTracking(before, tracking) };
}

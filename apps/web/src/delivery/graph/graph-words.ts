import type { Cause, Reaction, SkipReason, TouchpointEvent } from '@reachout/contract/event-graph.ts';
import type { Connection } from '@reachout/contract/rules/connections.ts';
import { personEventTypes, type ReactionAction } from '@reachout/contract/rules/event-graph.ts';
import { useTranslation } from 'react-i18next';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { useFormat } from '#web/i18n/format.ts';
import { partsOfDelay } from './delay.ts';
import { useFormNames, type ReactionsOf } from './graph-queries.ts';

const unitFormat = (locale: string, unit: string) =>
  new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });

/** @returns a function that says a unit of delays: "days" */
export function useUnitText(): (unit: string) => string {
  const { locale } = useFormat();
  return (unit) =>
    unitFormat(locale, unit)
      .formatToParts(2)
      .find(({ type }) => type === 'unit')?.value ?? unit;
}

/** @returns a function that says a delay: "3 days later" */
export function useDelayText(): (delay: string) => string {
  const { t } = useTranslation('eventGraph');
  const format = useFormat();
  return (delay) => {
    const parts = partsOfDelay(delay).map(({ count, unit }) => unitFormat(format.locale, unit).format(count));
    return parts.length === 0 ? t('atOnce') : t('later', { time: format.list(parts) });
  };
}

/** @returns a function that says what a touchpoint does, before its name */
export function useDoingText(): (action: ReactionAction) => string {
  const { t } = useTranslation('eventGraph');
  return (action) => t('doing', { action: t(`action.${action}`) });
}

/** What connections are called. @param events  all that are named */
export function useGraphWords(events: readonly TouchpointEvent[]) {
  const { t } = useTranslation('eventGraph');
  const formName = useFormNames(events);
  const collectionName = useCollectionName();
  const sayDelay = useDelayText();
  const doing = useDoingText();

  const touchpoints = new Map<string, string>(
    events.flatMap(({ notifier_touchpoint_id: id, notifier_name: name, listeners }) => [
      ...(id !== null && name !== null ? [[id, name] as const] : []),
      ...listeners.map((one) => [one.listener_touchpoint_id, one.listener_name] as const),
    ]),
  );

  /** Whose event it is: a touchpoint, a form or a list. */
  const sourceOf = ({ notifier_name: notifier, form_id: form, collection }: TouchpointEvent): string =>
    notifier ?? (form === null ? collectionName(collection ?? '') : (formName(form) ?? t('event.SIGN_UP')));

  /** "link clicked" */
  const eventOf = ({ event_type: type, ...event }: TouchpointEvent): string[] => {
    const field = event.event ?? '';
    if (type === 'CHANGE_FIELD')
      return [
        t('event.CHANGE_FIELD'),
        event.value === null ? field : t('detail.value', { field, value: event.value }),
      ];
    if (type === 'REACH_DATE') {
      const days = event.days ?? 0;
      const side = days < 0 ? 'before' : 'after';
      return [
        days === 0 ? t('detail.onDay', { field }) : t(`detail.${side}`, { count: Math.abs(days), field }),
        ...(event.is_yearly ? [t('detail.yearly')] : []),
      ];
    }
    return [t(`event.${type}`), ...(event.event === null ? [] : [event.event])];
  };

  /** "Send Reminder" */
  const thenOf = ({ event, listener }: Connection): string =>
    listener ? `${doing(event.action)} ${listener.listener_name}` : t('nothingReacts');

  /** "News: link clicked" */
  const beginningOf = ({ event }: Connection): string => `${sourceOf(event)}: ${eventOf(event).join(', ')}`;

  return {
    sourceOf,
    eventOf,
    beginningOf,
    /** "News: link clicked → Send Reminder" */
    nameOf: (connection: Connection): string => `${beginningOf(connection)} → ${thenOf(connection)}`,
    /** What limits a connection. */
    limitsOf: ({ listener }: Connection): string[] => {
      if (!listener) return [];
      const { unless, once_per_contact: isOnce, quiet_hours: isQuiet } = listener;
      const event = unless && [t(`event.${unless.event_type}`), unless.event].filter(Boolean).join(' ');
      const of = touchpoints.get(unless?.touchpoint_id ?? '');
      return [
        ...(event === null
          ? []
          : [of === undefined ? t('unlessSame', { event }) : t('unless', { event, name: of })]),
        t(isOnce ? 'once' : 'everyTime'),
        ...(isQuiet ? [t('quiet')] : []),
      ];
    },
    sayDelay,
    /** The reactions of its listener, or all of the touchpoint that nothing listens to. */
    reactionsOf: ({ event, listener }: Connection): ReactionsOf =>
      listener ? { listener_id: listener.id } : { touchpoint_id: event.notifier_touchpoint_id ?? '' },
  };
}

/** @returns a function that says why there is a reaction: "News: link clicked https://shop.example, 3 Dec, 10:32" */
export function useCauseText(): (cause: Cause) => string {
  const { t } = useTranslation('eventGraph');
  const format = useFormat();
  return ({ type, at, touchpoint_name: name, detail }) => {
    const words = [t(`event.${type}`), detail].filter(Boolean).join(' ');
    const isOfPerson = personEventTypes.some((one) => one === type);
    return t('reactions.at', {
      event: isOfPerson ? words : `${name ?? t('reactions.gone')}: ${words}`,
      time: format.dateTime(at),
    });
  };
}

/** @returns a function that says why a reaction was skipped or cancelled */
export function useReasonText(): (reason: NonNullable<Reaction['reason']>) => string {
  const { t } = useTranslation(['eventGraph', 'audiences']);
  // Some are those for which an audience excludes contacts.
  return (reason) => t([`reason.${reason as 'bot'}`, `audiences:breakdown.reason.${reason as 'paused'}`]);
}

/** @returns a function that says why reactions were skipped: "unsubscribed: 3, paused: 1" */
export function useSkipText(): (reasons: readonly SkipReason[]) => string {
  const format = useFormat();
  const reasonText = useReasonText();
  return (reasons) =>
    reasons.map(({ reason, count }) => `${reasonText(reason)}: ${format.number(count)}`).join(', ');
}

import type { TouchpointEventAction } from '@reachout/contract/event-graph.ts';
import type { Connection } from '@reachout/contract/rules/connections.ts';
import { touchpointEventTypes } from '@reachout/contract/rules/event-graph.ts';
import type { TouchpointType } from '@reachout/contract/states/touchpoint.ts';
import { useTranslation } from 'react-i18next';
import { DelayInput, FieldChoice, SourceChoice } from './connection-inputs.tsx';
import {
  eventsOf,
  findAction,
  idOf,
  meaningOf,
  sameMessage,
  type ConnectionValues,
} from './connection-values.ts';

interface Context {
  brandId: string;
  connection: Connection | undefined;
  /** Whether a listener is added to the event, which stays as it is. */
  isAdded: boolean;
  actions: readonly TouchpointEventAction[];
  /** Of the brand. */
  touchpoints: readonly { id: string; name: string; type: TouchpointType }[];
  /** The type of the touchpoint with which something begins; undefined for a person. */
  notifierOf: (values: ConnectionValues) => TouchpointType | undefined;
}

const by =
  <T>(read: (values: ConnectionValues) => T) =>
  (values: object): T =>
    read(values as ConnectionValues);

const isOfField = ({ event_type: type }: ConnectionValues) => meaningOf(type) === 'field';
export const hasPattern = (values: ConnectionValues) =>
  meaningOf(values.event_type) !== undefined && !isOfField(values);
const patternOf = ({ event_type: type }: ConnectionValues) => meaningOf(type) as 'link' | 'path' | 'name';

const toOptions = (touchpoints: Context['touchpoints']) =>
  touchpoints.map(({ id, name }) => ({ value: id, label: name }));

/** When what happens: what begins it, and which touchpoint does what. */
export function useMainFields({ brandId, connection, isAdded, actions, touchpoints, notifierOf }: Context) {
  const { t } = useTranslation(['eventGraph', 'common']);
  const isNew = () => !connection;
  const isDate = by(({ event_type: type }) => !isAdded && type === 'REACH_DATE');
  const listenersOf = by((values) => {
    const action = findAction(actions, values.action, notifierOf(values));
    return toOptions(touchpoints.filter(({ type }) => type === action?.listener_touchpoint_type));
  });
  return {
    source: {
      label: t('columns.when'),
      hint: t('form.sourceHint'),
      input: SourceChoice,
      inputProps: { brandId },
      isShown: isNew,
    },
    event_type: {
      label: t('words.event'),
      options: by((values) =>
        eventsOf(values.source, notifierOf(values)).map((value) => ({ value, label: t(`event.${value}`) })),
      ),
      isBeside: true,
      isShown: isNew,
    },
    field: {
      label: t('words.field'),
      input: FieldChoice,
      inputProps: by(({ source, event_type: type }) => ({
        collection: idOf(source),
        isDate: type === 'REACH_DATE',
      })),
      isShown: by((values) => !isAdded && isOfField(values)),
    },
    value: {
      label: t('form.value'),
      hint: t('form.valueHint'),
      isShown: by(({ event_type: type }) => !isAdded && type === 'CHANGE_FIELD'),
    },
    days: { label: t('form.days'), isOptional: false, isShown: isDate },
    side: {
      options: (['before', 'after'] as const).map((value) => ({ value, label: t(`form.${value}`) })),
      label: t('form.side'),
      initial: 'after',
      isBeside: true,
      isShown: isDate,
    },
    is_yearly: { label: t('form.yearly'), kind: 'checkbox', isShown: isDate },
    action: {
      label: t('columns.reaction'),
      hint: by(({ action }) => t(`actionHint.${action}`)),
      options: by((values) =>
        actions
          .filter((one) => one.notifier_touchpoint_type === (notifierOf(values) ?? null))
          .map(({ name }) => ({ value: name, label: t(`action.${name}`) })),
      ),
      initial: 'send_email',
      isShown: () => !isAdded,
    },
    listener_touchpoint_id: {
      label: t('form.listener'),
      hint: (values: object) => listenersOf(values).length === 0 && t('form.noListener'),
      options: listenersOf,
      inputProps: { searchable: true },
      isBeside: true,
      isShown: () => !connection?.listener,
    },
  } as const;
}

/** What most connections need not say. */
export function useMoreFields({ connection, isAdded, touchpoints, notifierOf }: Context) {
  const { t } = useTranslation(['eventGraph', 'common']);
  return {
    event: {
      label: by((values) => t(`form.${patternOf(values)}`)),
      hint: by((values) => t(`form.${patternOf(values)}Hint`)),
      isShown: by((values) => !isAdded && hasPattern(values)),
    },
    delay: { label: t('form.delay'), input: DelayInput },
    unless_type: {
      label: t('form.unless'),
      options: by(({ unless_of: of }) => {
        const type = touchpoints.find(({ id }) => id === of)?.type ?? 'email';
        return touchpointEventTypes[type].map((value) => ({ value, label: t(`event.${value}`) }));
      }),
      isOptional: true,
      inputProps: { placeholder: t('form.unlessNothing') },
    },
    unless_of: {
      label: t('form.unlessOf'),
      options: by((values) => [
        ...(notifierOf(values) === 'email' ? [{ value: sameMessage, label: t('form.unlessSame') }] : []),
        ...toOptions(touchpoints),
      ]),
      initial: sameMessage,
      inputProps: { searchable: true },
      isBeside: true,
    },
    unless_event: {
      label: t('form.unlessPattern'),
      isShown: by(({ unless_type: type }) => meaningOf(type) !== undefined),
    },
    once_per_contact: { label: t('form.once'), hint: t('form.onceHint'), kind: 'checkbox' },
    quiet_hours: { label: t('form.quiet'), hint: t('form.quietHint'), kind: 'checkbox' },
    is_active: {
      label: t('common:status.active'),
      hint: t('form.activeHint'),
      initial: true,
      isShown: () => !connection,
    },
  } as const;
}

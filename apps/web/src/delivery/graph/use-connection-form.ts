import type { TouchpointEvent } from '@reachout/contract/event-graph.ts';
import type { Connection } from '@reachout/contract/rules/connections.ts';
import { daysOfDelay, maxDelayDays, touchpointEventTypes } from '@reachout/contract/rules/event-graph.ts';
import { touchpointTypes, type TouchpointType } from '@reachout/contract/states/touchpoint.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { client } from '#web/platform/api.ts';
import { boundsOf, type Bounds } from '#web/platform/bounds-of.ts';
import { changes } from '#web/platform/query-client.ts';
import { useOnChange } from '#web/ui/use-on-change.ts';
import { useRecordForm } from '#web/ui/use-record-form.ts';
import { useMainFields, useMoreFields } from './connection-fields.ts';
import {
  differs,
  eventsOf,
  findAction,
  firstEventOf,
  idOf,
  sameMessage,
  toEvent,
  toListener,
  toRecord,
  type ConnectionValues,
  type Source,
} from './connection-values.ts';
import { eventActionsQuery, useBrandTouchpoints } from './graph-queries.ts';

/** What a new connection begins with, if it was drawn. */
export interface Beginning {
  source: Source;
  listener: string;
}

export interface ConnectionFormProps {
  place: Pick<TouchpointEvent, 'campaign' | 'brand' | 'client'>;
  /** Undefined for a new one; without a listener to add one. */
  connection?: Connection;
  beginning?: Beginning | undefined;
  onClose: () => void;
}

/** What the server calls otherwise; the source is a field of a new connection alone. */
const sourcePaths = { notifier_touchpoint_id: 'source', form_id: 'source', collection: 'source' } as const;
const fieldOfPath = {
  touchpoint_event_action_id: 'action',
  event: 'field',
  'unless.touchpoint_id': 'unless_of',
  'unless.event_type': 'unless_type',
} as const;

/** Fields of which the server alone knows that they do not fit. */
const refused = ['source', 'action', 'listener_touchpoint_id', 'field', 'unless_of', 'unless_type'] as const;

/** @param isAdded  whether a listener is added to an event that has others */
const boundsFor = (connection: Connection | undefined, isAdded: boolean) => {
  const bounds = {
    ...boundsOf('touchpointEvents.create'),
    ...boundsOf('touchpointEvents.createListener'),
  };
  return {
    ...bounds,
    unless_event: bounds.event,
    // An event to which nothing reacts can be changed without an addition.
    ...(connection && !isAdded && { listener_touchpoint_id: { type: 'text', nullable: true } }),
  } as unknown as Bounds<ConnectionValues>;
};

export function useConnectionForm({ place, connection, beginning, onClose }: ConnectionFormProps) {
  const { t } = useTranslation(['eventGraph', 'common']);
  const { data: touchpoints = [] } = useBrandTouchpoints(place.brand.id);
  const { data: actions = [] } = useQuery(eventActionsQuery(useOrganization()));
  const typeOf = (id: string): TouchpointType | undefined => touchpoints.find((one) => one.id === id)?.type;
  // What notifies may be archived meanwhile.
  const knownType = touchpointTypes.find((type) => emits(type, connection?.event.event_type));
  const notifierOf = ({ source }: { source: string }) => knownType ?? typeOf(idOf(source));
  const isAdded = connection?.listener === null && connection.event.listeners.length > 0;
  const context = { brandId: place.brand.id, connection, isAdded, actions, touchpoints, notifierOf };
  const [main, more] = [useMainFields(context), useMoreFields(context)];
  const required = (value: string) => (value === '' ? t('common:form.required') : null);
  const saving = useSaving({ place, connection }, (values) => toEvent(values, actions, notifierOf(values)));
  const form = useRecordForm(boundsFor(connection, isAdded), {
    record: connection
      ? toRecord(connection)
      : beginning && {
          source: beginning.source,
          event_type: firstEventOf(beginning.source, notifierOf(beginning)),
          action: typeOf(beginning.listener) === 'website' ? 'stop_tracking' : 'send_email',
          listener_touchpoint_id: beginning.listener,
        },
    fields: { ...main, ...more },
    checks: {
      source: required,
      field: required,
      action: required,
      unless_of: (value, { unless_type, source }) =>
        unless_type !== '' && notifierOf({ source }) !== 'email' && value === sameMessage
          ? required('')
          : null,
      delay: (value) =>
        daysOfDelay(value) > maxDelayDays ? t('form.delayTooLong', { max: maxDelayDays }) : null,
    },
    fieldOfPath: connection ? fieldOfPath : { ...sourcePaths, ...fieldOfPath },
    rejected: Object.fromEntries(refused.map((field) => [field, t(`form.refused.${field}`)])),
    save: (values) => saving.mutateAsync(values),
    notice: t(connection ? 'form.saved' : 'form.connected'),
    onClose,
  });
  const values = form.fields.getValues();
  const { source, event_type: type, action } = values;
  const set = form.fields.setFieldValue;
  const notifier = notifierOf(values);
  const clearDetail = () => {
    set('event', '');
    set('field', '');
  };
  // What was chosen below stays as far as it is possible.
  useOnChange(source, () => {
    if (!eventsOf(source, notifier).some((one) => one === type))
      set('event_type', firstEventOf(source, notifier) ?? '');
    if (!findAction(actions, action, notifier)) set('action', 'send_email');
    clearDetail();
  });
  useOnChange(type, clearDetail);
  useOnChange(findAction(actions, action, notifier)?.listener_touchpoint_type, () =>
    set('listener_touchpoint_id', ''),
  );
  useOnChange(values.unless_of, () => set('unless_type', ''));
  return { form, isAdded, main: namesOf(main), more: namesOf(more) };
}

const emits = (type: TouchpointType, event: string | undefined): boolean =>
  touchpointEventTypes[type].some((one) => one === event);

const namesOf = <F extends object>(fields: F) => Object.keys(fields) as (keyof F & string)[];

/** Stores a connection: an event and what listens, or what changed of them. */
function useSaving(
  { place, connection }: Pick<ConnectionFormProps, 'place'> & { connection: Connection | undefined },
  eventOf: (values: ConnectionValues) => ReturnType<typeof toEvent>,
) {
  const { orgId } = useOrganization();
  const addListener = (id: string, values: ConnectionValues) =>
    client.touchpointEvents.createListener({
      id,
      listener_touchpoint_id: values.listener_touchpoint_id,
      ...toListener(values),
    });
  const create = async (values: ConnectionValues) => {
    const { id } = await client.touchpointEvents.create({
      organization_id: orgId,
      campaign_id: place.campaign.id,
      ...eventOf(values),
    });
    try {
      await addListener(id, values);
    } catch (error) {
      // An event of which nothing was made is not left behind.
      await client.touchpointEvents.delete({ id });
      throw error;
    }
    if (values.is_active) await client.touchpointEvents.update({ id, is_active: true });
  };
  const change = async ({ event: { id, ...event }, listener }: Connection, values: ConnectionValues) => {
    const { event_type: _type, notifier_touchpoint_id: _notifier, ...fields } = eventOf(values);
    if (differs(event, fields)) await client.touchpointEvents.update({ id, ...fields });
    if (!listener && values.listener_touchpoint_id) await addListener(id, values);
    else if (listener && differs(listener, toListener(values)))
      await client.touchpointEvents.updateListener({
        id,
        listener_id: listener.id,
        ...toListener(values),
      });
  };
  return useMutation({
    ...changes(orgId),
    mutationFn: (values: ConnectionValues) => (connection ? change(connection, values) : create(values)),
  });
}

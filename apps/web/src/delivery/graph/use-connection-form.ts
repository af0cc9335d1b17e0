// By hand: what can be chosen depends on what was chosen before, and what is saved are two records, an event and what listens.
import type { TouchpointEvent, TouchpointEventAction } from '@reachout/contract/event-graph.ts';
import type { Connection } from '@reachout/contract/rules/connections.ts';
import { daysOfDelay, maxDelayDays, maxPatternLength } from '@reachout/contract/rules/event-graph.ts';
import type { TouchpointType } from '@reachout/contract/states/touchpoint.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { client } from '#web/platform/api.ts';
import { changes } from '#web/platform/query-client.ts';
import { notify } from '#web/ui/notify.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import {
  delayOf,
  eventsOf,
  findAction,
  firstEventOf,
  idOf,
  meaningOf,
  toEvent,
  toListener,
  toValues,
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
  /** Undefined for a new one. */
  connection?: Connection;
  beginning?: Beginning | undefined;
  onClose: () => void;
}

export function useConnectionForm({ place, connection, beginning, onClose }: ConnectionFormProps) {
  const { t } = useTranslation(['eventGraph', 'common']);
  const { data: touchpoints = [] } = useBrandTouchpoints(place.brand.id);
  const { data: actions = [] } = useQuery(eventActionsQuery(useOrganization()));
  const typeOf = (id: string): TouchpointType | undefined => touchpoints.find((one) => one.id === id)?.type;
  const first = toValues(connection ?? {});
  const required = (value: string) => (value === '' ? t('common:form.required') : null);

  const saving = useSaving({ place, connection }, first, actions, typeOf);
  const form = useServerForm<ConnectionValues>({
    initial: {
      ...first,
      ...(beginning && {
        source: beginning.source,
        event_type: firstEventOf(beginning.source, typeOf(idOf(beginning.source))),
        listener_touchpoint_id: beginning.listener,
      }),
    },
    limits: { event: maxPatternLength, value: maxPatternLength, unless_event: maxPatternLength },
    checks: {
      source: required,
      event_type: required,
      action: required,
      listener_touchpoint_id: (value) => (connection ? null : required(value)),
      event: (value, { event_type }) => (meaningOf(event_type) === 'field' ? required(value) : null),
      unless_of: (value, { unless_type, source }) =>
        unless_type !== '' && typeOf(idOf(source)) !== 'email' ? required(value) : null,
      delay: (_, values) =>
        daysOfDelay(delayOf(values)) > maxDelayDays ? t('form.delayTooLong', { max: maxDelayDays }) : null,
    },
    submit: async (values) => {
      await saving.mutateAsync(values);
      onClose();
      notify(t(connection ? 'form.saved' : 'form.connected'));
    },
  });
  const { fields } = form;
  const values = fields.getValues();

  /** What was chosen below stays as far as it is possible. */
  const chooseAction = (source: ConnectionValues['source'], name: ConnectionValues['action']) => {
    const notifier = typeOf(idOf(source));
    const action = findAction(actions, name, notifier) ?? findAction(actions, 'send_email', notifier);
    fields.setFieldValue('action', action?.name ?? 'send_email');
    if (typeOf(values.listener_touchpoint_id) !== action?.listener_touchpoint_type)
      fields.setFieldValue('listener_touchpoint_id', '');
  };
  const chooseSource = (source: Source) => {
    const type = typeOf(idOf(source));
    fields.setFieldValue('source', source);
    fields.setFieldValue('event', '');
    if (!eventsOf(source, type).some((event) => event === values.event_type))
      fields.setFieldValue('event_type', firstEventOf(source, type));
    chooseAction(source, values.action);
  };
  return {
    form,
    values,
    touchpoints,
    actions,
    typeOf,
    chooseAction,
    chooseSource,
    isNewDelay: delayOf(values) !== delayOf(first),
  };
}

/** Stores a connection: an event and what listens, or what changed of them. */
function useSaving(
  { place, connection }: Pick<ConnectionFormProps, 'place'> & { connection: Connection | undefined },
  first: ConnectionValues,
  actions: readonly TouchpointEventAction[],
  typeOf: (id: string) => TouchpointType | undefined,
) {
  const { orgId } = useOrganization();
  const create = async (values: ConnectionValues) => {
    const { id } = await client.touchpointEvents.create({
      organization_id: orgId,
      campaign_id: place.campaign.id,
      ...toEvent(values, actions, typeOf(idOf(values.source))),
      is_active: false,
    });
    try {
      const { listener_touchpoint_id } = values;
      await client.touchpointEvents.createListener({ id, listener_touchpoint_id, ...toListener(values) });
    } catch (error) {
      // An event of which nothing was made is not left behind.
      await client.touchpointEvents.delete({ id });
      throw error;
    }
    if (values.is_active) await client.touchpointEvents.update({ id, is_active: true });
  };
  const change = async ({ event, listener }: Connection, values: ConnectionValues) => {
    const type = typeOf(event.notifier_touchpoint_id ?? '');
    const {
      event_type: _type,
      notifier_touchpoint_id: _notifier,
      ...fields
    } = toEvent(values, actions, type);
    const { event_type: _t, notifier_touchpoint_id: _n, ...before } = toEvent(first, actions, type);
    if (differ(fields, before)) await client.touchpointEvents.update({ id: event.id, ...fields });
    if (listener && differ(toListener(values), toListener(first)))
      await client.touchpointEvents.updateListener({
        id: event.id,
        listener_id: listener.id,
        ...toListener(values),
      });
  };
  return useMutation({
    ...changes(orgId),
    mutationFn: (values: ConnectionValues) => (connection ? change(connection, values) : create(values)),
  });
}

export type ConnectionFormState = ReturnType<typeof useConnectionForm>;

const differ = (one: object, other: object): boolean => JSON.stringify(one) !== JSON.stringify(other);

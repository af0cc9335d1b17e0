import { Skeleton, Stack, Text } from '@mantine/core';
import type { Connection } from '@reachout/contract/rules/connections.ts';
import { isAlone } from '@reachout/contract/rules/connections.ts';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { compact } from '#web/platform/list-search.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { notify } from '#web/ui/notify.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useGraphWords } from './graph-words.ts';

interface EffectProps {
  eventId: string;
  /** Undefined: of all listeners of the event. */
  listenerId?: string | undefined;
  change: 'delay' | 'delete' | 'switch_off' | 'switch_on';
  /** The new one. */
  delay?: string;
}

/** What a change does to those who wait, said before it is made. */
export function Effect({ eventId, listenerId, change, delay }: EffectProps) {
  const { t } = useTranslation('eventGraph');
  const { api } = useOrganization();
  const query = useQuery(
    api.touchpointEvents.effect.queryOptions({
      input: compact({ id: eventId, listener_id: listenerId, change, delay }),
      placeholderData: keepPreviousData,
      staleTime: 0,
    }),
  );
  if (query.error) return <ActionError error={query.error} />;
  if (!query.data) return <Skeleton height={20} />;
  const { waiting, cancelled, due_now: due, goes_out: goesOut } = query.data;
  return (
    <Text role="status">
      {waiting === 0
        ? t('effect.nobody')
        : [
            t('effect.waiting', { count: waiting }),
            change === 'delete' && t('effect.cancelled', { count: cancelled }),
            change === 'switch_off' && t('effect.kept'),
            change === 'delay' && t('effect.moved'),
            due > 0 && t('effect.now', { count: due }),
            due > 0 && t(goesOut ? 'effect.out' : 'effect.held'),
          ]
            .filter(Boolean)
            .join(' ')}
    </Text>
  );
}

interface Props {
  connection: Connection;
  change: 'delete' | 'switch_off' | 'switch_on';
  onClose: () => void;
}

/** Removes a connection, or switches its event on or off. */
export function EffectDialog({ connection, change, onClose }: Props) {
  const { t } = useTranslation('eventGraph');
  const { touchpointEvents } = useOrganization().api;
  const format = useFormat();
  const { event, listener } = connection;
  const words = useGraphWords([event]);
  const update = useMutation(touchpointEvents.update.mutationOptions());
  const removeEvent = useMutation(touchpointEvents.delete.mutationOptions());
  const removeListener = useMutation(touchpointEvents.deleteListener.mutationOptions());
  const isRemoval = change === 'delete';
  const others = event.listeners.filter(({ id }) => id !== listener?.id);
  const run = async () => {
    const { id } = event;
    if (!isRemoval) return await update.mutateAsync({ id, is_active: change === 'switch_on' });
    if (listener === null || isAlone(connection)) return await removeEvent.mutateAsync({ id });
    return await removeListener.mutateAsync({ id, listener_id: listener.id });
  };
  return (
    <ConfirmDialog
      title={t(`${change}.title`, { name: words.nameOf(connection) })}
      confirmLabel={t(`${change}.label`)}
      isDestructive={isRemoval}
      onClose={onClose}
      onConfirm={async () => {
        await run();
        notify(t(`${change}.done`));
      }}
    >
      <Stack gap="xs">
        {!isRemoval && others.length > 0 && (
          <Text>
            {t('alsoFor', { names: format.list(others.map(({ listener_name }) => listener_name)) })}
          </Text>
        )}
        <Effect eventId={event.id} listenerId={isRemoval ? listener?.id : undefined} change={change} />
      </Stack>
    </ConfirmDialog>
  );
}

import { Badge, Button, Group, Menu, Text } from '@mantine/core';
import type { Session } from '@reachout/contract/me.ts';
import { IconCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '#web/platform/api.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { notify } from '#web/ui/notify.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { Time } from '#web/ui/time.tsx';
import { useDeviceName } from './device-name.ts';

export function SessionList({ sessions }: { sessions: readonly Session[] }) {
  const { t } = useTranslation('account');
  const [asking, setAsking] = useState(false);
  const end = useMutation(
    api.me.endSession.mutationOptions({ onSuccess: () => notify(t('sessions.ended')) }),
  );
  const others = sessions.filter((session) => !session.is_current).length;

  const deviceName = useDeviceName();
  const columns: Column<Session>[] = [
    {
      header: t('sessions.device'),
      cell: (session) => (
        <Group gap="xs" component="span">
          {deviceName(session.user_agent)}
          {session.is_current && (
            <Badge
              color="green"
              className="status-badge"
              data-tone="green"
              leftSection={<IconCheck size={14} stroke={2} aria-hidden />}
            >
              {t('sessions.this')}
            </Badge>
          )}
        </Group>
      ),
    },
    { header: t('sessions.network'), cell: (session) => session.ip_address ?? t('sessions.unknownNetwork') },
    {
      header: t('sessions.used'),
      cell: (session) => (session.is_current ? t('sessions.now') : <Time at={session.last_used_at} />),
    },
    { header: t('sessions.since'), cell: (session) => <Time at={session.signed_in_at} as="dateTime" /> },
    { header: t('sessions.expires'), cell: (session) => <Time at={session.expires_at} as="date" /> },
  ];
  return (
    <>
      <ActionError error={end.error} />
      <DataTable
        label={t('entries.sessions')}
        columns={columns}
        rows={sessions.toSorted((one, other) => Number(other.is_current) - Number(one.is_current))}
        rowActions={(session) =>
          session.is_current ? null : (
            <RowMenu name={deviceName(session.user_agent)}>
              <Menu.Item disabled={end.isPending} onClick={() => end.mutate({ id: session.id })}>
                {t('sessions.end')}
              </Menu.Item>
            </RowMenu>
          )
        }
      />
      {others > 0 && (
        <Button mt="md" variant="default" onClick={() => setAsking(true)}>
          {t('sessions.endOthers')}
        </Button>
      )}
      {asking && <EndOthers count={others} onClose={() => setAsking(false)} />}
    </>
  );
}

function EndOthers({ count, onClose }: { count: number; onClose: () => void }) {
  const { t } = useTranslation('account');
  const endOthers = useMutation(
    api.me.endOtherSessions.mutationOptions({
      onSuccess: ({ ended }) => notify(t('sessions.endedOthers', { count: ended })),
    }),
  );
  return (
    <ConfirmDialog
      title={t('sessions.endOthersTitle', { count })}
      confirmLabel={t('sessions.endOthers')}
      cancelLabel={t('sessions.keep')}
      isDestructive={false}
      onClose={onClose}
      onConfirm={() => endOthers.mutateAsync(undefined)}
    >
      <Text>{t('sessions.endOthersBody')}</Text>
    </ConfirmDialog>
  );
}

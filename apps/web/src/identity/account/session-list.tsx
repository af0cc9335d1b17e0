import { Badge, Button, Group, Text } from '@mantine/core';
import { recordLists } from '@reachout/contract/record-lists.ts';
import type { Session } from '@reachout/contract/me.ts';
import { IconCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '#web/platform/api.ts';
import { RecordTable } from '#web/identity/lists/record-table.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import type { Column } from '#web/ui/data-table.tsx';
import { notify } from '#web/ui/notify.tsx';
import { Time } from '#web/ui/time.tsx';
import { useDeviceName } from './device-name.ts';

export function SessionList({ sessions }: { sessions: readonly Session[] }) {
  const { t } = useTranslation('account');
  const [asking, setAsking] = useState(false);
  const others = sessions.filter((session) => !session.is_current).length;

  const deviceName = useDeviceName();
  const columns: Column<Session>[] = [
    {
      header: t('words.device'),
      cell: (session) => (
        <Group gap="xs" component="span">
          {deviceName(session.user_agent)}
          {session.is_current && (
            <Badge
              color="green"
              className="status-badge"
              data-tone="green"
              leftSection={<IconCheck size={14} className="thick-icon" aria-hidden />}
            >
              {t('sessions.this')}
            </Badge>
          )}
        </Group>
      ),
    },
    { header: t('words.network'), cell: (session) => session.ip_address ?? t('sessions.unknownNetwork') },
    {
      header: t('words.lastUsed'),
      cell: (session) => (session.is_current ? t('words.activeNow') : <Time at={session.last_used_at} />),
    },
    { header: t('sessions.since'), cell: (session) => <Time at={session.signed_in_at} as="dateTime" /> },
    { header: t('words.expires'), cell: (session) => <Time at={session.expires_at} as="date" /> },
  ];
  return (
    <>
      <RecordTable
        records={recordLists.sessions}
        label={t('entries.sessions')}
        columns={columns}
        rows={sessions.toSorted((one, other) => Number(other.is_current) - Number(one.is_current))}
        nameOf={({ user_agent }) => deviceName(user_agent)}
        shown={{ end: { label: t('words.signOut'), done: t('sessions.ended') } }}
      />
      {others > 0 && (
        <Button mt="md" onClick={() => setAsking(true)}>
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
      cancelLabel={t('words.notNow')}
      isDestructive={false}
      onClose={onClose}
      onConfirm={() => endOthers.mutateAsync(undefined)}
    >
      <Text>{t('sessions.endOthersBody')}</Text>
    </ConfirmDialog>
  );
}

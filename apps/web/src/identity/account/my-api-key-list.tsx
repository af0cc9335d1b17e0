import { Button, Code, Menu, Text } from '@mantine/core';
import { ownContentScope } from '@reachout/contract/abilities.ts';
import type { MyApiKey } from '@reachout/contract/me.ts';
import { IconApi } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '#web/platform/api.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { notify } from '#web/ui/notify.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Time } from '#web/ui/time.tsx';

/** The user's active keys in all organizations, which can be revoked one by one or together. */
export function MyApiKeyList({ keys }: { keys: readonly MyApiKey[] }) {
  const { t } = useTranslation(['account', 'settings']);
  const columns = useColumns();
  const [revoking, setRevoking] = useState<MyApiKey | 'all'>();
  const revoke = useMutation(
    api.me.revokeApiKey.mutationOptions({ onSuccess: () => notify(t('settings:keys.revoked')) }),
  );
  const revokeAll = useMutation(
    api.me.revokeApiKeys.mutationOptions({
      onSuccess: ({ revoked }) => notify(t('apiKeys.revokedAll', { count: revoked })),
    }),
  );
  if (keys.length === 0)
    return <EmptyState icon={IconApi} title={t('apiKeys.empty')} text={t('apiKeys.emptyHint')} />;
  return (
    <>
      <DataTable
        label={t('entries.apiKeys')}
        columns={columns}
        rows={keys}
        rowActions={(key) => (
          <RowMenu name={key.name}>
            <Menu.Item c="var(--app-danger)" onClick={() => setRevoking(key)}>
              {t('settings:keys.revoke')}
            </Menu.Item>
          </RowMenu>
        )}
      />
      <Button mt="md" variant="default" onClick={() => setRevoking('all')}>
        {t('apiKeys.revokeAll')}
      </Button>
      {revoking !== undefined && (
        <ConfirmDialog
          title={
            revoking === 'all'
              ? t('apiKeys.revokeAllTitle', { count: keys.length })
              : t('settings:keys.revokeQuestion', { name: revoking.name })
          }
          confirmLabel={revoking === 'all' ? t('apiKeys.revokeAll') : t('settings:keys.revoke')}
          onClose={() => setRevoking(undefined)}
          onConfirm={() =>
            revoking === 'all' ? revokeAll.mutateAsync(undefined) : revoke.mutateAsync({ id: revoking.id })
          }
        >
          <Text>{t('settings:keys.revokeEffect')}</Text>
        </ConfirmDialog>
      )}
    </>
  );
}

function useColumns(): Column<MyApiKey>[] {
  const { t } = useTranslation(['account', 'settings']);
  return [
    {
      header: t('settings:keys.name'),
      cell: (key) => (
        <div className="break">
          {key.name}
          <div>
            <Code>{key.prefix}…</Code>
          </div>
          {key.scopes.includes(ownContentScope) && (
            <Text size="xs" c="dimmed">
              {t('contentTokens.reads')}
            </Text>
          )}
        </div>
      ),
    },
    { header: t('apiKeys.organization'), cell: ({ organization }) => organization.name },
    { header: t('settings:keys.created'), cell: (key) => <Time at={key.created_at} as="date" /> },
    {
      header: t('settings:keys.used'),
      cell: (key) =>
        key.last_used_at === null ? t('settings:members.never') : <Time at={key.last_used_at} />,
    },
    { header: t('settings:keys.expires'), cell: (key) => <Time at={key.expires_at} as="date" /> },
  ];
}

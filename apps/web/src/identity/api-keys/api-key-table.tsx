import { Code, Menu, Text } from '@mantine/core';
import { isApiKeyScope, ownContentScope } from '@reachout/contract/abilities.ts';
import type { ApiKey } from '@reachout/contract/api-keys.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import type { TableState } from '#web/ui/list-page.tsx';
import { notify } from '#web/ui/notify.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { Time } from '#web/ui/time.tsx';

export function ApiKeyTable(table: TableState<ApiKey>) {
  const { t } = useTranslation('settings');
  const { api, orgId, can } = useOrganization();
  const columns = useColumns();
  const [revoking, setRevoking] = useState<ApiKey>();
  const revoke = useMutation(
    api.apiKeys.revoke.mutationOptions({ onSuccess: () => notify(t('keys.revoked')) }),
  );
  const rowActions = (key: ApiKey) =>
    key.revoked_at === null && (
      <RowMenu name={key.name}>
        <Menu.Item c="var(--app-danger)" onClick={() => setRevoking(key)}>
          {t('keys.revoke')}
        </Menu.Item>
      </RowMenu>
    );
  return (
    <>
      <DataTable
        {...table}
        label={t('sections.api-keys')}
        columns={columns}
        rowActions={can('delete', 'ApiKey') ? rowActions : undefined}
      />
      {revoking && (
        <ConfirmDialog
          title={t('keys.revokeQuestion', { name: revoking.name })}
          confirmLabel={t('keys.revoke')}
          onClose={() => setRevoking(undefined)}
          onConfirm={() => revoke.mutateAsync({ id: orgId, key_id: revoking.id })}
        >
          <Text>{t('keys.revokeEffect')}</Text>
        </ConfirmDialog>
      )}
    </>
  );
}

function useColumns(): Column<ApiKey>[] {
  const { t } = useTranslation('settings');
  return [
    {
      header: t('keys.name'),
      cell: (key) => (
        <div className="break">
          {key.name}
          <div>
            <Code>{key.prefix}…</Code>
          </div>
        </div>
      ),
    },
    {
      header: t('keys.scopes'),
      cell: ({ scopes }) =>
        scopes.map((scope) => (
          <div key={scope}>
            {isApiKeyScope(scope) || scope === ownContentScope
              ? t(`keys.scope.${scope}`, { nsSeparator: false })
              : scope}
          </div>
        )),
    },
    {
      header: t('keys.created'),
      cell: (key) => (
        <>
          <Time at={key.created_at} as="date" />
          <Text size="xs" c="dimmed">
            {key.created_by?.full_name ?? t('keys.formerMember')}
          </Text>
        </>
      ),
    },
    {
      header: t('keys.used'),
      cell: (key) => (key.last_used_at === null ? t('members.never') : <Time at={key.last_used_at} />),
    },
    {
      header: t('keys.expires'),
      cell: ({ revoked_at, expires_at }) => {
        if (revoked_at !== null)
          return (
            <>
              <StatusBadge status="revoked" />
              <Text size="xs" c="dimmed">
                <Time at={revoked_at} as="date" />
              </Text>
            </>
          );
        if (new Date(expires_at) < new Date()) return <StatusBadge status="expired" />;
        return <Time at={expires_at} as="date" />;
      },
    },
  ];
}

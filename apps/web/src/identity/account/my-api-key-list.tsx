import { Button, Text } from '@mantine/core';
import { ownContentScope } from '@reachout/contract/abilities.ts';
import { recordLists } from '@reachout/contract/record-lists.ts';
import type { MyApiKey } from '@reachout/contract/me.ts';
import { IconApi } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiKeyName, useRevocation } from '#web/identity/api-keys/api-key-parts.tsx';
import { timeColumn } from '#web/identity/lists/columns.tsx';
import { RecordTable } from '#web/identity/lists/record-table.tsx';
import { api } from '#web/platform/api.ts';
import type { ListColumn } from './list-columns.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { notify } from '#web/ui/notify.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { FinePrint } from '#web/ui/text.ts';

/** The user's active keys in all organizations, which can be revoked one by one or together. */
export function MyApiKeyList({ keys }: { keys: readonly MyApiKey[] }) {
  const { t } = useTranslation(['account', 'settings']);
  const columns = useColumns();
  const revoke = useRevocation();
  const [isRevokingAll, setRevokingAll] = useState(false);
  const revokeAll = useMutation(
    api.me.revokeApiKeys.mutationOptions({
      onSuccess: ({ revoked }) => notify(t('apiKeys.revokedAll', { count: revoked })),
    }),
  );
  if (keys.length === 0)
    return <EmptyState icon={IconApi} title={t('apiKeys.empty')} text={t('apiKeys.emptyHint')} />;
  return (
    <>
      <RecordTable
        records={recordLists.myApiKeys}
        label={t('entries.apiKeys')}
        columns={columns}
        rows={keys}
        nameOf={({ name }) => name}
        shown={{ revoke }}
      />
      <Button mt="md" onClick={() => setRevokingAll(true)}>
        {t('apiKeys.revokeAll')}
      </Button>
      {isRevokingAll && (
        <ConfirmDialog
          title={t('apiKeys.revokeAllTitle', { count: keys.length })}
          confirmLabel={t('apiKeys.revokeAll')}
          onClose={() => setRevokingAll(false)}
          onConfirm={() => revokeAll.mutateAsync(undefined)}
        >
          <Text>{t('settings:keys.revokeEffect')}</Text>
        </ConfirmDialog>
      )}
    </>
  );
}

function useColumns(): ListColumn<MyApiKey>[] {
  const { t } = useTranslation(['account', 'settings']);
  return [
    {
      name: 'name',
      header: t('form.name'),
      cell: (key) => (
        <ApiKeyName apiKey={key}>
          {key.scopes.includes(ownContentScope) && <FinePrint>{t('contentTokens.reads')}</FinePrint>}
        </ApiKeyName>
      ),
    },
    { name: 'organization', header: t('words.organization'), cell: ({ organization }) => organization.name },
    timeColumn('created', t('words.created'), (key) => key.created_at, { as: 'date' }),
    timeColumn('used', t('words.lastUsed'), (key) => key.last_used_at, { none: t('settings:members.never') }),
    timeColumn('expires', t('words.expires'), (key) => key.expires_at, { as: 'date' }),
  ];
}

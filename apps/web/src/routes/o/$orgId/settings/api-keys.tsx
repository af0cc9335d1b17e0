import { isApiKeyScope, ownContentScope } from '@reachout/contract/abilities.ts';
import type { ApiKey } from '@reachout/contract/api-keys.ts';
import { recordLists } from '@reachout/contract/record-lists.ts';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { ApiKeyForm } from '#web/identity/api-keys/api-key-form.tsx';
import { ApiKeyName, useRevocation } from '#web/identity/api-keys/api-key-parts.tsx';
import { OrganizationId } from '#web/identity/api-keys/organization-id.tsx';
import { timeColumn } from '#web/identity/lists/columns.tsx';
import { RecordList } from '#web/identity/lists/record-list.tsx';
import { CreateButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { defineList, type ListSearch } from '#web/platform/list-search.ts';
import { SettingsPage } from '#web/shell/settings-page.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { FinePrint } from '#web/ui/text.ts';
import { Time } from '#web/ui/time.tsx';

const list = defineList({ pageSize: 20 });

const apiKeysQuery = ({ api, orgId }: OrganizationContext, search: ListSearch) =>
  api.apiKeys.list.queryOptions(list.query(search, { id: orgId }));

export const Route = createFileRoute('/o/$orgId/settings/api-keys')({
  ...list.route,
  loader: ({ context, deps }) =>
    context.preload((scope) => [scope.can('read', 'ApiKey') && apiKeysQuery(scope, deps)]),
  component: Page,
});

function Page() {
  const { t } = useTranslation('settings');
  const [creating, setCreating] = useState(false);
  const create = (
    <CreateButton permission={['create', 'ApiKey']} onClick={() => setCreating(true)}>
      {t('keys.new')}
    </CreateButton>
  );
  return (
    <SettingsPage section="api-keys" primary={create}>
      <OrganizationId />
      <ApiKeys />
      {creating && <ApiKeyForm onClose={() => setCreating(false)} />}
    </SettingsPage>
  );
}

function ApiKeys() {
  const { t } = useTranslation('settings');
  return (
    <RecordList
      records={recordLists.apiKeys}
      query={useQuery(apiKeysQuery(useOrganization(), Route.useSearch()))}
      list={list}
      header={false}
      texts="settings:keys"
      label={t('sections.api-keys')}
      icon={IconKey}
      columns={useColumns()}
      nameOf={({ name }) => name}
      shown={{ revoke: useRevocation() }}
    />
  );
}

function useColumns(): ListColumn<ApiKey>[] {
  const { t } = useTranslation('settings');
  return [
    {
      name: 'name',
      header: t('form.name'),
      cell: (key) => <ApiKeyName apiKey={key} />,
    },
    {
      name: 'scopes',
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
      name: 'created',
      header: t('words.created'),
      cell: ({ created_at, created_by }) => (
        <>
          <Time at={created_at} as="date" />
          <FinePrint>{created_by?.full_name ?? t('keys.formerMember')}</FinePrint>
        </>
      ),
    },
    timeColumn('used', t('words.lastUsed'), (key) => key.last_used_at, { none: t('members.never') }),
    {
      name: 'expires',
      header: t('words.expires'),
      cell: ({ revoked_at, expires_at }) => {
        if (revoked_at !== null)
          return (
            <>
              <StatusBadge status="revoked" />
              <FinePrint>
                <Time at={revoked_at} as="date" />
              </FinePrint>
            </>
          );
        if (new Date(expires_at) < new Date()) return <StatusBadge status="expired" />;
        return <Time at={expires_at} as="date" />;
      },
    },
  ];
}

import { IconKey } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiKeyForm } from '#web/identity/api-keys/api-key-form.tsx';
import { ApiKeyTable } from '#web/identity/api-keys/api-key-table.tsx';
import { OrganizationId } from '#web/identity/api-keys/organization-id.tsx';
import { CreateButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { defineList, type ListSearch } from '#web/platform/list-search.ts';
import { SettingsPage } from '#web/shell/settings-page.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const list = defineList({ pageSize: 20 });

const apiKeysQuery = ({ api, orgId }: OrganizationContext, search: ListSearch) =>
  api.apiKeys.list.queryOptions({
    input: { id: orgId, ...list.input(search) },
    placeholderData: keepPreviousData,
  });

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
  const query = useQuery(apiKeysQuery(useOrganization(), Route.useSearch()));
  return (
    <ListPage
      query={query}
      what={t('keys.what')}
      empty={<EmptyState icon={IconKey} title={t('keys.empty')} text={t('keys.emptyHint')} />}
      list={list}
    >
      {(table) => <ApiKeyTable {...table} />}
    </ListPage>
  );
}

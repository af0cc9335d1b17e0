import { IconKey, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiKeyForm } from '#web/identity/api-keys/api-key-form.tsx';
import { ApiKeyTable } from '#web/identity/api-keys/api-key-table.tsx';
import { OrganizationId } from '#web/identity/api-keys/organization-id.tsx';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import {
  useOrganization,
  type OrganizationContextValue,
} from '#web/identity/organizations/organization-context.ts';
import { readSearchAndPage, type ListSearch } from '#web/platform/list-search.ts';
import { SettingsPage } from '#web/shell/settings-page.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const pageSize = 20;

const apiKeysQuery = ({ api, orgId }: OrganizationContextValue, { page = 1 }: ListSearch) =>
  api.apiKeys.list.queryOptions({
    input: { id: orgId, page: page - 1, page_size: pageSize },
    placeholderData: keepPreviousData,
  });

export const Route = createFileRoute('/o/$orgId/settings/api-keys')({
  validateSearch: readSearchAndPage,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) =>
    context.preload((scope) => [scope.can('read', 'ApiKey') && apiKeysQuery(scope, deps)]),
  component: Page,
});

function Page() {
  const { t } = useTranslation('settings');
  const [creating, setCreating] = useState(false);
  const create = (
    <PermittedButton
      permission={['create', 'ApiKey']}
      leftSection={<IconPlus size={16} stroke={1.75} />}
      onClick={() => setCreating(true)}
    >
      {t('keys.new')}
    </PermittedButton>
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
      empty={
        <EmptyState icon={<IconKey size={28} stroke={1.75} />} title={t('keys.empty')}>
          {t('keys.emptyHint')}
        </EmptyState>
      }
      pageSize={pageSize}
    >
      {(rows, table) => <ApiKeyTable {...table} rows={rows} />}
    </ListPage>
  );
}

import { IconTrash } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { TrashTable } from '#web/identity/organizations/trash-table.tsx';
import {
  useOrganization,
  type OrganizationContextValue,
} from '#web/identity/organizations/organization-context.ts';
import { compact, readSearchAndPage, type ListSearch } from '#web/platform/list-search.ts';
import { settingsPermissions } from '#web/shell/settings-permissions.ts';
import { SettingsPage } from '#web/shell/settings-page.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const pageSize = 20;

const trashQuery = ({ api, orgId }: OrganizationContextValue, { search, page = 1 }: ListSearch) =>
  api.organizations.trash.queryOptions({
    input: compact({ id: orgId, search, page: page - 1, page_size: pageSize }),
    placeholderData: keepPreviousData,
  });

export const Route = createFileRoute('/o/$orgId/settings/trash')({
  validateSearch: readSearchAndPage,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) =>
    context.preload((scope) => [
      settingsPermissions.trash.every(([action, subject]) => scope.can(action, subject)) &&
        trashQuery(scope, deps),
    ]),
  component: () => (
    <SettingsPage section="trash">
      <Trash />
    </SettingsPage>
  ),
});

function Trash() {
  const { t } = useTranslation('settings');
  const search = Route.useSearch();
  const query = useQuery(trashQuery(useOrganization(), search));
  return (
    <ListPage
      query={query}
      what={t('trash.what')}
      searchLabel={t('trash.search')}
      noResults={t('trash.noMatch', { search: search.search })}
      empty={
        <EmptyState icon={<IconTrash size={28} stroke={1.75} />} title={t('trash.empty')}>
          {t('trash.emptyHint')}
        </EmptyState>
      }
      pageSize={pageSize}
    >
      {(rows, table) => <TrashTable {...table} rows={rows} />}
    </ListPage>
  );
}

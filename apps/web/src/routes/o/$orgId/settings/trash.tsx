import { IconTrash } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { TrashTable } from '#web/identity/organizations/trash-table.tsx';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { defineList, type ListSearch } from '#web/platform/list-search.ts';
import { settingsPermissions } from '#web/shell/settings-permissions.ts';
import { SettingsPage } from '#web/shell/settings-page.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const list = defineList({ pageSize: 20, isSearchable: true });

const trashQuery = ({ api, orgId }: OrganizationContext, search: ListSearch) =>
  api.organizations.trash.queryOptions({
    input: { id: orgId, ...list.input(search) },
    placeholderData: keepPreviousData,
  });

export const Route = createFileRoute('/o/$orgId/settings/trash')({
  ...list.route,
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
      empty={<EmptyState icon={IconTrash} title={t('trash.empty')} text={t('trash.emptyHint')} />}
      list={list}
    >
      {(table) => <TrashTable {...table} />}
    </ListPage>
  );
}

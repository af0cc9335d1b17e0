import type { TrashItem } from '@reachout/contract/organizations.ts';
import { recordLists } from '@reachout/contract/record-lists.ts';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { badgeColumn, textColumn, timeColumn, wordsColumn } from '#web/identity/lists/columns.tsx';
import { RecordList } from '#web/identity/lists/record-list.tsx';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { defineList, type ListSearch } from '#web/platform/list-search.ts';
import { settingsPermissions } from '#web/shell/settings-permissions.ts';
import { SettingsPage } from '#web/shell/settings-page.tsx';

const list = defineList({ pageSize: 20, isSearchable: true });

const trashQuery = ({ api, orgId }: OrganizationContext, search: ListSearch) =>
  api.organizations.trash.queryOptions(list.query(search, { id: orgId }));

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

/** Deleted records that can still be restored. */
function Trash() {
  const { t } = useTranslation(['settings', 'common']);
  return (
    <RecordList
      records={recordLists.trash}
      query={useQuery(trashQuery(useOrganization(), Route.useSearch()))}
      list={list}
      header={false}
      texts="settings:trash"
      label={t('sections.trash')}
      icon={IconTrash}
      columns={useColumns()}
      nameOf={({ name }) => name}
      shown={{
        restore: {
          label: t('common:actions.restore'),
          button: ({ name }) => t('trash.restore', { name }),
          done: ({ name }) => t('common:restored', { what: name }),
        },
      }}
    />
  );
}

function useColumns(): ListColumn<TrashItem>[] {
  const { t } = useTranslation(['settings', 'common']);
  return [
    wordsColumn('name', t('form.name'), ({ name }) => name),
    badgeColumn('kind', t('words.type'), ({ kind }) => t(`words.${kind}`)),
    textColumn('place', t('trash.place'), ({ place }) => place.join(' › ')),
    timeColumn('deleted', t('words.deleted'), (item) => item.deleted_at),
    timeColumn('until', t('trash.until'), (item) => item.restorable_until, { as: 'date' }),
  ];
}

import type { ListedFilter } from '@reachout/contract/filters.ts';
import { recordLists } from '@reachout/contract/record-lists.ts';
import { maxCountedUses } from '@reachout/contract/rules/audience-uses.ts';
import { IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { useOwnerColumn } from '#web/content/owners/owner-chip.tsx';
import { NewAudience } from '#web/contacts/audiences/new-audience.tsx';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { nameColumn, statusColumn, textColumn, updatedColumn } from '#web/identity/lists/columns.tsx';
import { RecordLink } from '#web/identity/lists/record-link.tsx';
import { RecordList } from '#web/identity/lists/record-list.tsx';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { compact, defineList, type SearchOf } from '#web/platform/list-search.ts';
import { recordPages } from '#web/identity/lists/record-pages.ts';
import { useChangeSearch } from '#web/platform/use-change-search.ts';

const list = defineList({
  pageSize: 20,
  isSearchable: true,
  sortBy: ['name', 'updated_at'],
  defaultOrder: 'name.asc',
  filters: (raw) => compact({ new: raw['new'] === true ? true : undefined }),
});
type Search = SearchOf<typeof list>;

const audiencesQuery = ({ api, orgId, clientId }: OrganizationContext, search: Search) =>
  api.filters.list.queryOptions(list.query(search, { organization_id: orgId, client_id: clientId }));

export const Route = createFileRoute('/o/$orgId/audiences/')({
  ...list.route,
  loader: ({ context, deps }) => context.preload((scope) => [audiencesQuery(scope, deps)]),
  component: Page,
});

function Page() {
  const { new: creating = false } = Route.useSearch();
  return creating ? <NewAudience /> : <Audiences />;
}

function Audiences() {
  const scope = useOrganization();
  const change = useChangeSearch<Search>();
  return (
    <RecordList
      records={recordLists.filters}
      query={useQuery(audiencesQuery(scope, Route.useSearch()))}
      list={list}
      texts="audiences"
      icon={IconUsersGroup}
      columns={useColumns()}
      columnsOf="audiences"
      nameOf={({ name }) => name}
      create={{
        permission: scope.can('create', 'Filter') ? ['read', 'Content'] : ['create', 'Filter'],
        onClick: () => change({ new: true }),
      }}
      recordPage={recordPages.audience}
    />
  );
}

function useColumns(): ListColumn<ListedFilter>[] {
  const { t } = useTranslation(['audiences', 'common']);
  const nameOf = useCollectionName();
  return [
    nameColumn({
      header: t('common:form.name'),
      sort: 'name',
      cell: ({ id, name, is_active }) => (
        <RecordLink page={recordPages.audience} id={id} name={name} {...(is_active ? {} : { c: 'dimmed' })} />
      ),
    }),
    statusColumn(t('words.status'), (filter) => (filter.is_active ? 'active' : 'inactive')),
    textColumn('used_count', t('used.by'), ({ used_count: count }) =>
      count === null
        ? null
        : count === 0
          ? t('used.nowhere')
          : t(count < maxCountedUses ? 'used.emails' : 'used.many', { count }),
    ),
    useOwnerColumn(),
    textColumn('collection', t('words.contactsFrom'), ({ collection }) => nameOf(collection)),
    updatedColumn(t('words.updated'), { hide: 1 }),
  ];
}

import { maxCountedUses } from '@reachout/contract/rules/audience-uses.ts';
import type { ListedFilter } from '@reachout/contract/filters.ts';
import { IconUsersGroup } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { OwnerChip } from '#web/content/owners/owner-chip.tsx';
import { AudienceTable } from '#web/contacts/audiences/audience-table.tsx';
import { NewAudience } from '#web/contacts/audiences/new-audience.tsx';
import { useListColumns, type ListColumn } from '#web/identity/account/list-columns.tsx';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { CreateButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { compact, defineList, type SearchOf } from '#web/platform/list-search.ts';
import { useChangeSearch } from '#web/platform/use-change-search.ts';
import { ListPage } from '#web/ui/list-page.tsx';
import { RowName } from '#web/ui/row-name.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { Time } from '#web/ui/time.tsx';

const list = defineList({
  pageSize: 20,
  isSearchable: true,
  sortBy: ['name', 'updated_at'],
  defaultOrder: 'name.asc',
  filters: (raw) => compact({ new: raw['new'] === true ? true : undefined }),
});
type Search = SearchOf<typeof list>;

const audiencesQuery = ({ api, orgId, clientId }: OrganizationContext, search: Search) =>
  api.filters.list.queryOptions({
    input: compact({ organization_id: orgId, client_id: clientId, ...list.input(search) }),
    placeholderData: keepPreviousData,
  });

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
  const { t } = useTranslation(['audiences', 'common']);
  const scope = useOrganization();
  const search = Route.useSearch();
  const change = useChangeSearch<Search>();
  const { columns, choice } = useListColumns('audiences', useColumns());
  const create = (
    <CreateButton
      permission={scope.can('create', 'Filter') ? ['read', 'Content'] : ['create', 'Filter']}
      onClick={() => change({ new: true })}
    >
      {t('new')}
    </CreateButton>
  );
  const query = useQuery(audiencesQuery(scope, search));
  return (
    <ListPage
      query={query}
      what={t('what')}
      header={(action) => <PageHeader title={t('title')} primary={action} />}
      create={create}
      searchLabel={t('search')}
      noResults={t('noMatch', { search: search.search })}
      empty={(action) => (
        <EmptyState icon={IconUsersGroup} title={t('empty.title')} actions={action} text={t('empty.body')} />
      )}
      actions={choice}
      list={list}
    >
      {(table) => <AudienceTable {...table} columns={columns} />}
    </ListPage>
  );
}

function useColumns(): ListColumn<ListedFilter>[] {
  const { t } = useTranslation(['audiences', 'common']);
  const { orgId } = useOrganization();
  const nameOf = useCollectionName();
  return [
    {
      name: 'name',
      header: t('common:form.name'),
      sort: 'name',
      cell: (filter) => (
        <RowName>
          <LinkAnchor
            to="/o/$orgId/audiences/$audienceId"
            params={{ orgId, audienceId: filter.id }}
            title={filter.name}
            {...(filter.is_active ? {} : { c: 'dimmed' })}
          >
            {filter.name}
          </LinkAnchor>
        </RowName>
      ),
    },
    {
      name: 'status',
      header: t('common:filter.status'),
      cell: (filter) => <StatusBadge status={filter.is_active ? 'active' : 'inactive'} />,
    },
    {
      name: 'used_count',
      header: t('used.by'),
      cell: ({ used_count: count }) =>
        count === null
          ? t('common:none')
          : count === 0
            ? t('used.nowhere')
            : t(count < maxCountedUses ? 'used.emails' : 'used.many', { count }),
    },
    { name: 'owner', header: t('common:owner.label'), cell: (filter) => <OwnerChip owner={filter} /> },
    {
      name: 'collection',
      header: t('collection'),
      cell: ({ collection }) => (
        <span className="cut-line" title={nameOf(collection)}>
          {nameOf(collection)}
        </span>
      ),
    },
    {
      name: 'updated_at',
      header: t('updated'),
      sort: 'updated_at',
      isDescendingFirst: true,
      hide: 1,
      cell: (filter) => <Time at={filter.updated_at} />,
    },
  ];
}

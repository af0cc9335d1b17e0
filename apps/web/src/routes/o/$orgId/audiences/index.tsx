import { Group } from '@mantine/core';
import type { Filter } from '@reachout/contract/filters.ts';
import { IconPlus, IconUsersGroup } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { AudienceEditor } from '#web/content/audiences/audience-editor.tsx';
import { useFormat } from '#web/i18n/format.ts';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/scope.ts';
import { LinkAnchor, LinkButton } from '#web/platform/links.tsx';
import { checked, compact, readListSearch, type Change } from '#web/platform/list-search.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { ResultCount } from '#web/ui/result-count.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { FirstUse, ForbiddenState, NoMatch } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';

const readSearch = (raw: Record<string, unknown>) =>
  compact({ ...readListSearch(raw, ['name', 'updated_at']), new: raw['new'] === true ? true : undefined });
type Search = ReturnType<typeof readSearch>;

export const Route = createFileRoute('/o/$orgId/audiences/')({
  validateSearch: checked(readSearch),
  component: Page,
});

function Page() {
  const { new: creating = false } = Route.useSearch();
  return creating ? <NewAudience /> : <Audiences />;
}

const pageSize = 20;

function Audiences() {
  const { t } = useTranslation(['audiences', 'common']);
  const format = useFormat();
  const { api, orgId, can } = useOrganization();
  const { search, page = 1, order = 'name.asc' } = Route.useSearch();
  const navigate = Route.useNavigate();
  const go = (change: Change<Search>) => navigate({ search: (old) => compact({ ...old, ...change }) });
  const query = useQuery(
    api.filters.list.queryOptions({
      input: compact({
        organization_id: orgId,
        search,
        order: order as 'name.asc',
        page: page - 1,
        page_size: pageSize,
      }),
      placeholderData: keepPreviousData,
    }),
  );
  const columns: Column<Filter>[] = [
    {
      key: 'name',
      header: t('common:form.name'),
      sort: 'name',
      cell: (filter) => (
        <LinkAnchor
          to="/o/$orgId/audiences/$audienceId"
          params={{ orgId, audienceId: filter.id }}
          {...(filter.is_active ? {} : { c: 'dimmed' })}
        >
          {filter.name}
        </LinkAnchor>
      ),
    },
    {
      key: 'active',
      header: t('common:filter.status'),
      cell: (filter) => <StatusBadge status={filter.is_active ? 'active' : 'inactive'} />,
    },
    { key: 'collection', header: t('collection'), cell: (filter) => filter.collection },
    {
      key: 'updated',
      header: t('updated'),
      sort: 'updated_at',
      cell: (filter) => format.relative(filter.updated_at),
    },
  ];
  const create = (
    <PermittedButton
      permission={can('create', 'Filter') ? ['read', 'Content'] : ['create', 'Filter']}
      leftSection={<IconPlus size={16} stroke={1.75} />}
      onClick={() => void go({ new: true })}
    >
      {t('new')}
    </PermittedButton>
  );
  return (
    <>
      <PageHeader title={t('title')} primary={query.data?.count === 0 && !search ? undefined : create} />
      <AsyncRegion query={query} what={t('what')}>
        {({ items, count }) =>
          count === 0 && !search ? (
            <FirstUse
              icon={<IconUsersGroup size={28} stroke={1.75} />}
              title={t('empty.title')}
              actions={create}
            >
              {t('empty.body')}
            </FirstUse>
          ) : (
            <>
              <Group mb="md">
                <SearchField
                  label={t('search')}
                  value={search ?? ''}
                  onSearch={(text) => void go({ search: text || undefined, page: undefined })}
                />
                <ResultCount count={count} active={search !== undefined} />
              </Group>
              {count === 0 && search ? (
                <NoMatch text={t('noMatch', { search })} onClear={() => void navigate({ search: {} })} />
              ) : (
                <DataTable
                  label={t('title')}
                  columns={columns}
                  rows={items}
                  rowKey={(filter) => filter.id}
                  order={order}
                  onOrder={(next) => void go({ order: next, page: undefined })}
                />
              )}
              <Pager
                page={page}
                pageSize={pageSize}
                total={count}
                onPage={(next) => void go({ page: next })}
              />
            </>
          )
        }
      </AsyncRegion>
    </>
  );
}

function NewAudience() {
  const { t } = useTranslation(['audiences', 'common']);
  const { api, orgId, can, mayEver } = useOrganization();
  const navigate = useNavigate();
  const contacts = useQuery(
    api.content.items.queryOptions({
      input: { organization_id: orgId, collection: 'contacts', limit: 1, page: 1 },
    }),
  );
  if (!can('create', 'Filter') || !can('read', 'Content')) return <ForbiddenState />;
  return (
    <>
      <PageHeader
        title={t('new')}
        section={t('title')}
        crumbs={[
          <LinkAnchor key="audiences" to="/o/$orgId/audiences" params={{ orgId }}>
            {t('title')}
          </LinkAnchor>,
        ]}
      />
      {contacts.data?.meta.total_count === 0 ? (
        <FirstUse
          icon={<IconUsersGroup size={28} stroke={1.75} />}
          title={t('noContacts.title')}
          actions={
            mayEver('create', 'Content') && (
              <LinkButton
                to="/o/$orgId/collections/$collection/import"
                params={{ orgId, collection: 'contacts' }}
              >
                {t('noContacts.action')}
              </LinkButton>
            )
          }
        >
          {t('noContacts.body')}
        </FirstUse>
      ) : (
        <AudienceEditor
          onSaved={(filter) =>
            navigate({ to: '/o/$orgId/audiences/$audienceId', params: { orgId, audienceId: filter.id } })
          }
        />
      )}
    </>
  );
}

import { Group } from '@mantine/core';
import { IconPlus, IconTemplate } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { client } from '#web/platform/api.ts';
import { useFormat } from '#web/i18n/format.ts';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/scope.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { checked, compact, readListSearch, type Change } from '#web/platform/list-search.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { TemplateForm } from '#web/content/templates/template-form.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { ResultCount } from '#web/ui/result-count.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { FirstUse, NoMatch } from '#web/ui/states.tsx';

const readSearch = (raw: Record<string, unknown>) =>
  compact({ ...readListSearch(raw, ['title', 'date_updated']), new: raw['new'] === true ? true : undefined });
type Search = ReturnType<typeof readSearch>;
type Row = Awaited<ReturnType<typeof client.templates.list>>['items'][number];

export const Route = createFileRoute('/o/$orgId/templates/')({
  validateSearch: checked(readSearch),
  component: Templates,
});

const pageSize = 20;

function Templates() {
  const { t } = useTranslation('templates');
  const format = useFormat();
  const { api, orgId, can } = useOrganization();
  const { search, page = 1, order = 'date_updated.desc', new: creating = false } = Route.useSearch();
  const navigate = Route.useNavigate();
  const go = (change: Change<Search>) => navigate({ search: (old) => compact({ ...old, ...change }) });
  const query = useQuery(
    api.templates.list.queryOptions({
      input: compact({
        organization_id: orgId,
        search,
        order: order as 'title.asc',
        page: page - 1,
        page_size: pageSize,
      }),
      placeholderData: keepPreviousData,
    }),
  );
  const columns: Column<Row>[] = [
    {
      key: 'title',
      header: t('titleField'),
      sort: 'title',
      cell: (row) => (
        <LinkAnchor to="/o/$orgId/templates/$templateId" params={{ orgId, templateId: row.id }}>
          {row.title}
        </LinkAnchor>
      ),
    },
    { key: 'type', header: t('type'), cell: (row) => t(`types.${row.template_type}`) },
    {
      key: 'updated',
      header: t('updated'),
      sort: 'date_updated',
      cell: (row) => format.relative(row.date_updated),
    },
  ];
  const create = (
    <PermittedButton
      permission={['create', 'Template']}
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
              icon={<IconTemplate size={28} stroke={1.75} />}
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
                  rowKey={(row) => row.id}
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
      {creating && can('create', 'Template') && <TemplateForm onClose={() => void go({ new: undefined })} />}
    </>
  );
}

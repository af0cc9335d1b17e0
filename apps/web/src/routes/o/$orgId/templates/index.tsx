import { IconPlus, IconTemplate } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { TemplateForm } from '#web/content/templates/template-form.tsx';
import { useFormat } from '#web/i18n/format.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import {
  useOrganization,
  type OrganizationContextValue,
} from '#web/identity/organizations/organization-context.ts';
import type { client } from '#web/platform/api.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { checked, compact, readListSearch } from '#web/platform/list-search.ts';
import { useChangeSearch } from '#web/platform/use-change-search.ts';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const readSearch = checked((raw) =>
  compact({ ...readListSearch(raw, ['title', 'date_updated']), new: raw['new'] === true ? true : undefined }),
);
type Search = ReturnType<typeof readSearch>;

const pageSize = 20;
const defaultOrder = 'date_updated.desc';

const templatesQuery = (
  { api, orgId }: OrganizationContextValue,
  { search, page = 1, order = defaultOrder }: Search,
) =>
  api.templates.list.queryOptions({
    input: compact({ organization_id: orgId, search, order, page: page - 1, page_size: pageSize }),
    placeholderData: keepPreviousData,
  });

export const Route = createFileRoute('/o/$orgId/templates/')({
  validateSearch: readSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.preload((scope) => [templatesQuery(scope, deps)]),
  component: Templates,
});

function Templates() {
  const { t } = useTranslation('templates');
  const scope = useOrganization();
  const search = Route.useSearch();
  const change = useChangeSearch<Search>();
  const columns = useColumns();
  const create = (
    <PermittedButton
      permission={['create', 'Template']}
      leftSection={<IconPlus size={16} stroke={1.75} />}
      onClick={() => change({ new: true })}
    >
      {t('new')}
    </PermittedButton>
  );
  const query = useQuery(templatesQuery(scope, search));
  return (
    <>
      <ListPage
        query={query}
        what={t('what')}
        header={(action) => <PageHeader title={t('title')} primary={action} />}
        create={create}
        searchLabel={t('search')}
        noResults={t('noMatch', { search: search.search })}
        empty={
          <EmptyState
            icon={<IconTemplate size={28} stroke={1.75} />}
            title={t('empty.title')}
            actions={create}
          >
            {t('empty.body')}
          </EmptyState>
        }
        defaultOrder={defaultOrder}
        pageSize={pageSize}
      >
        {(rows, table) => (
          <DataTable {...table} label={t('title')} columns={columns} rows={rows} rowKey={({ id }) => id} />
        )}
      </ListPage>
      {search.new && scope.can('create', 'Template') && (
        <TemplateForm onClose={() => change({ new: undefined })} />
      )}
    </>
  );
}

function useColumns(): Column<Awaited<ReturnType<typeof client.templates.list>>['items'][number]>[] {
  const { t } = useTranslation('templates');
  const format = useFormat();
  const { orgId } = useOrganization();
  return [
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
}

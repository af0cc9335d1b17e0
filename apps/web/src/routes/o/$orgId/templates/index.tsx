import { IconTemplate } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { OwnerChip } from '#web/content/owners/owner-chip.tsx';
import { TemplatePicture } from '#web/content/templates/template-picture.tsx';
import { TemplateTable, type ListedTemplate } from '#web/content/templates/template-table.tsx';
import { TemplateForm } from '#web/content/templates/template-form.tsx';
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
import { Time } from '#web/ui/time.tsx';

const list = defineList({
  pageSize: 20,
  isSearchable: true,
  sortBy: ['title', 'date_updated'],
  defaultOrder: 'date_updated.desc',
  filters: (raw) => compact({ new: raw['new'] === true ? true : undefined }),
});
type Search = SearchOf<typeof list>;

const templatesQuery = ({ api, orgId, clientId }: OrganizationContext, search: Search) =>
  api.templates.list.queryOptions({
    input: compact({ organization_id: orgId, client_id: clientId, ...list.input(search) }),
    placeholderData: keepPreviousData,
  });

export const Route = createFileRoute('/o/$orgId/templates/')({
  ...list.route,
  loader: ({ context, deps }) => context.preload((scope) => [templatesQuery(scope, deps)]),
  component: Templates,
});

function Templates() {
  const { t } = useTranslation('templates');
  const scope = useOrganization();
  const search = Route.useSearch();
  const change = useChangeSearch<Search>();
  const { columns, choice } = useListColumns('templates', useColumns());
  const create = (
    <CreateButton permission={['create', 'Template']} onClick={() => change({ new: true })}>
      {t('new')}
    </CreateButton>
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
        empty={(action) => (
          <EmptyState icon={IconTemplate} title={t('empty.title')} actions={action} text={t('empty.body')} />
        )}
        actions={choice}
        list={list}
      >
        {(table) => <TemplateTable {...table} columns={columns} />}
      </ListPage>
      {search.new && scope.can('create', 'Template') && (
        <TemplateForm onClose={() => change({ new: undefined })} />
      )}
    </>
  );
}

function useColumns(): ListColumn<ListedTemplate>[] {
  const { t } = useTranslation(['templates', 'common']);
  const { orgId } = useOrganization();
  return [
    {
      name: 'title',
      header: t('titleField'),
      sort: 'title',
      cell: (row) => (
        <RowName picture={<TemplatePicture template={row} />}>
          <LinkAnchor
            to="/o/$orgId/templates/$templateId"
            params={{ orgId, templateId: row.id }}
            title={row.title}
          >
            {row.title}
          </LinkAnchor>
        </RowName>
      ),
    },
    { name: 'owner', header: t('common:owner.label'), cell: (row) => <OwnerChip owner={row} /> },
    { name: 'type', header: t('type'), cell: (row) => t(`types.${row.template_type}`) },
    {
      name: 'date_updated',
      header: t('updated'),
      sort: 'date_updated',
      isDescendingFirst: true,
      cell: (row) => <Time at={row.date_updated} />,
    },
  ];
}

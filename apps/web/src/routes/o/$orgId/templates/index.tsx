import { recordLists } from '@reachout/contract/record-lists.ts';
import type { Template } from '@reachout/contract/templates.ts';
import { IconTemplate } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useOwnerColumn } from '#web/content/owners/owner-chip.tsx';
import { TemplatePicture } from '#web/content/templates/template-picture.tsx';
import { TemplateForm } from '#web/content/templates/template-form.tsx';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { nameColumn, textColumn, timeColumn } from '#web/identity/lists/columns.tsx';
import { RecordLink } from '#web/identity/lists/record-link.tsx';
import { RecordList } from '#web/identity/lists/record-list.tsx';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { compact, defineList, type SearchOf } from '#web/platform/list-search.ts';
import { recordPages } from '#web/identity/lists/record-pages.ts';
import { useChangeSearch } from '#web/platform/use-change-search.ts';

const list = defineList({
  pageSize: 20,
  isSearchable: true,
  sortBy: ['title', 'date_updated'],
  defaultOrder: 'date_updated.desc',
  filters: (raw) => compact({ new: raw['new'] === true ? true : undefined }),
});
type Search = SearchOf<typeof list>;

const templatesQuery = ({ api, orgId, clientId }: OrganizationContext, search: Search) =>
  api.templates.list.queryOptions(list.query(search, { organization_id: orgId, client_id: clientId }));

export const Route = createFileRoute('/o/$orgId/templates/')({
  ...list.route,
  loader: ({ context, deps }) => context.preload((scope) => [templatesQuery(scope, deps)]),
  component: Templates,
});

function Templates() {
  const scope = useOrganization();
  const search = Route.useSearch();
  const change = useChangeSearch<Search>();
  return (
    <>
      <RecordList
        records={recordLists.templates}
        query={useQuery(templatesQuery(scope, search))}
        list={list}
        texts="templates"
        icon={IconTemplate}
        columns={useColumns()}
        columnsOf="templates"
        nameOf={({ title }) => title}
        nameField="title"
        create={{ permission: ['create', 'Template'], onClick: () => change({ new: true }) }}
        recordPage={recordPages.template}
      />
      {search.new && scope.can('create', 'Template') && (
        <TemplateForm onClose={() => change({ new: undefined })} />
      )}
    </>
  );
}

function useColumns(): ListColumn<Omit<Template, 'mjml'>>[] {
  const { t } = useTranslation('templates');
  return [
    nameColumn({
      name: 'title',
      header: t('words.title'),
      sort: 'title',
      picture: (row) => <TemplatePicture template={row} />,
      cell: ({ id, title }) => <RecordLink page={recordPages.template} id={id} name={title} />,
    }),
    useOwnerColumn(),
    textColumn('type', t('words.type'), (row) => t(`types.${row.template_type}`)),
    timeColumn('date_updated', t('words.updated'), (row) => row.date_updated, {
      sort: 'date_updated',
      isDescendingFirst: true,
    }),
  ];
}

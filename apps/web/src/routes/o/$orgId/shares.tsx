import { IconLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, linkOptions } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useDirectus } from '#web/content/collections/use-directus.ts';
import { shareList, sharesQuery } from '#web/content/shares/share-queries.ts';
import { ShareTable } from '#web/content/shares/share-table.tsx';
import { loadContactTexts } from '#web/i18n/i18n.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';

export const Route = createFileRoute('/o/$orgId/shares')({
  ...shareList.route,
  beforeLoad: loadContactTexts,
  loader: ({ context, deps }) => context.preload((scope) => [sharesQuery(scope, deps)]),
  component: Shares,
});

/** All links with which people without an account read items. */
function Shares() {
  const { t } = useTranslation(['shares', 'collections']);
  const scope = useOrganization();
  const isDirectus = useDirectus();
  const query = useQuery({ ...sharesQuery(scope, Route.useSearch()), enabled: !isDirectus });
  const crumbs = linkOptions([
    { to: '/o/$orgId/collections', params: { orgId: scope.orgId }, label: t('collections:title') },
  ]);
  const header = <PageHeader title={t('title')} note={t('note')} crumbs={crumbs} />;
  if (isDirectus)
    return (
      <>
        {header}
        <EmptyState icon={IconLink} title={t('directus.title')} text={t('directus.body')} />
      </>
    );
  return (
    <ListPage
      query={query}
      what={t('what')}
      header={() => header}
      empty={<EmptyState icon={IconLink} title={t('empty.title')} text={t('empty.body')} />}
      list={shareList}
    >
      {(table) => <ShareTable {...table} />}
    </ListPage>
  );
}

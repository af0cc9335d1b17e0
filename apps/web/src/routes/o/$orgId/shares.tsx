import { Menu } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import type { Share } from '@reachout/contract/content-shares.ts';
import { recordLists } from '@reachout/contract/record-lists.ts';
import { IconLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, linkOptions } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { useDirectus } from '#web/content/collections/use-directus.ts';
import { ShareDeletion } from '#web/content/shares/share-deletion.tsx';
import { shareList, sharesQuery } from '#web/content/shares/share-queries.ts';
import { ShareState } from '#web/content/shares/share-state.tsx';
import { useFormat } from '#web/i18n/format.ts';
import { loadContactTexts } from '#web/i18n/i18n.ts';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { textColumn, timeColumn } from '#web/identity/lists/columns.tsx';
import { RecordList } from '#web/identity/lists/record-list.tsx';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { notify } from '#web/ui/notify.tsx';
import { EmptyState } from '#web/ui/states.tsx';

export const Route = createFileRoute('/o/$orgId/shares')({
  ...shareList.route,
  beforeLoad: loadContactTexts,
  loader: ({ context, deps }) => context.preload((scope) => [sharesQuery(scope, deps)]),
  component: Shares,
});

/** All links with which people without an account read items. */
function Shares() {
  const { t } = useTranslation(['shares', 'collections', 'common']);
  const scope = useOrganization();
  const isDirectus = useDirectus();
  const { copy } = useClipboard();
  const query = useQuery({ ...sharesQuery(scope, Route.useSearch()), enabled: !isDirectus });
  const columns = useColumns();
  const crumbs = linkOptions([
    { to: '/o/$orgId/collections', params: { orgId: scope.orgId }, label: t('words.collections') },
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
    <RecordList
      records={recordLists.shares}
      query={query}
      list={shareList}
      header={() => header}
      texts="shares"
      icon={IconLink}
      columns={columns}
      nameOf={({ name }) => name ?? t('unnamed')}
      links={({ url }) => (
        <Menu.Item
          onClick={() => {
            copy(url);
            notify(t('common:actions.copied'));
          }}
        >
          {t('words.copyLink')}
        </Menu.Item>
      )}
      shown={{
        stop: {
          label: t('stop'),
          isDestructive: true,
          open: (share, close) => <ShareDeletion share={share} onClose={close} />,
        },
      }}
    />
  );
}

function useColumns(): ListColumn<Share>[] {
  const { t } = useTranslation(['shares', 'common']);
  const format = useFormat();
  const nameOf = useCollectionName();
  return [
    textColumn('name', t('form.name'), ({ name }) => name ?? t('unnamed')),
    { name: 'state', header: t('state.label'), cell: (share) => <ShareState share={share} /> },
    textColumn('collection', t('words.collection'), ({ collection }) => nameOf(collection), { hide: 3 }),
    textColumn('password', t('password'), (share) => t(share.has_password ? 'hasPassword' : 'noPassword'), {
      hide: 4,
    }),
    {
      name: 'openings',
      header: t('openings'),
      align: 'end',
      hide: 2,
      cell: ({ times_used, max_uses }) =>
        max_uses === null
          ? format.number(times_used)
          : t('openingsOf', { used: format.number(times_used), max: format.number(max_uses) }),
    },
    textColumn('by', t('by'), ({ by }) => by?.full_name ?? null, { hide: 5 }),
    timeColumn('date_created', t('words.created'), (share) => share.date_created, { hide: 1 }),
  ];
}

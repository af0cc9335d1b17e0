import { Menu } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import type { Share } from '@reachout/contract/content-shares.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { useFormat } from '#web/i18n/format.ts';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import type { TableState } from '#web/ui/list-page.tsx';
import { notify } from '#web/ui/notify.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';
import { Time } from '#web/ui/time.tsx';
import { ShareDeletion } from './share-deletion.tsx';
import { ShareState } from './share-state.tsx';

/** The shares of all items. */
export function ShareTable(table: TableState<Share>) {
  const { t } = useTranslation(['shares', 'common']);
  const [ending, setEnding] = useState<Share>();
  const { copy } = useClipboard();
  return (
    <>
      <DataTable
        {...table}
        label={t('title')}
        columns={useColumns()}
        rowActions={(share) => (
          <RowMenu name={share.name ?? t('unnamed')}>
            <Menu.Item
              onClick={() => {
                copy(share.url);
                notify(t('common:actions.copied'));
              }}
            >
              {t('copy')}
            </Menu.Item>
            <Menu.Item c="var(--app-danger)" onClick={() => setEnding(share)}>
              {t('stop')}
            </Menu.Item>
          </RowMenu>
        )}
      />
      {ending && <ShareDeletion share={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

function useColumns(): Column<Share>[] {
  const { t } = useTranslation(['shares', 'common']);
  const format = useFormat();
  const nameOf = useCollectionName();
  return [
    { header: t('name'), cell: ({ name }) => name ?? t('unnamed') },
    { header: t('state.label'), cell: (share) => <ShareState share={share} /> },
    { header: t('collection'), hide: 3, cell: ({ collection }) => nameOf(collection) },
    {
      header: t('password'),
      hide: 4,
      cell: ({ has_password }) => t(has_password ? 'hasPassword' : 'noPassword'),
    },
    {
      header: t('openings'),
      align: 'end',
      hide: 2,
      cell: ({ times_used, max_uses }) =>
        max_uses === null
          ? format.number(times_used)
          : t('openingsOf', { used: format.number(times_used), max: format.number(max_uses) }),
    },
    { header: t('by'), hide: 5, cell: ({ by }) => by?.full_name ?? t('common:none') },
    { header: t('created'), hide: 1, cell: ({ date_created }) => <Time at={date_created} /> },
  ];
}

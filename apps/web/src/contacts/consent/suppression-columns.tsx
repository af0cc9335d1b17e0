import type { ListedSuppression } from '@reachout/contract/suppressions.ts';
import { useTranslation } from 'react-i18next';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import type { Column } from '#web/ui/data-table.tsx';
import { Time } from '#web/ui/time.tsx';
import { useSuppressionText } from './suppression-text.ts';

export function useSuppressionColumns(): Column<ListedSuppression>[] {
  const { t } = useTranslation('consent');
  const describe = useSuppressionText();
  return [
    {
      header: t('list.address'),
      sort: 'address',
      cell: ({ address }) => <span className="break">{address}</span>,
    },
    { header: t('list.state'), cell: ({ state }) => <StatusBadge status={state} /> },
    {
      header: t('list.appliesTo'),
      cell: ({ brand_name: name }) => <span className="break">{name ?? t('allBrands')}</span>,
    },
    // When it occurred is part of it where that was elsewhere, before it was entered here.
    {
      header: t('list.how'),
      cell: (suppression) => <span className="break">{describe(withOwnTime(suppression))}</span>,
    },
    {
      header: t('list.entered'),
      sort: 'created_at',
      isDescendingFirst: true,
      cell: ({ created_at: at }) => <Time at={at} as="dateTime" />,
    },
  ];
}

const withOwnTime = ({ at, created_at: enteredAt, ...suppression }: ListedSuppression) => ({
  ...suppression,
  at: at === enteredAt ? null : at,
});

import type { ListedSuppression } from '@reachout/contract/suppressions.ts';
import { useTranslation } from 'react-i18next';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { statusColumn, timeColumn, wordsColumn } from '#web/identity/lists/columns.tsx';
import { useSuppressionText } from './suppression-text.ts';

export function useSuppressionColumns(): ListColumn<ListedSuppression>[] {
  const { t } = useTranslation('consent');
  const describe = useSuppressionText();
  return [
    wordsColumn('address', t('words.address'), ({ address }) => address, { sort: 'address' }),
    statusColumn(t('list.state'), ({ state }) => state),
    wordsColumn('brand', t('list.appliesTo'), ({ brand_name: name }) => name ?? t('words.allBrands')),
    // When it occurred is part of it where that was elsewhere, before it was entered here.
    wordsColumn('how', t('list.how'), (suppression) => describe(withOwnTime(suppression))),
    timeColumn('created_at', t('list.entered'), ({ created_at }) => created_at, {
      sort: 'created_at',
      isDescendingFirst: true,
      as: 'dateTime',
    }),
  ];
}

const withOwnTime = ({ at, created_at: enteredAt, ...suppression }: ListedSuppression) => ({
  ...suppression,
  at: at === enteredAt ? null : at,
});

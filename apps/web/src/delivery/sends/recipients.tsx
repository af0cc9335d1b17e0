import { NativeSelect, Text, Title } from '@mantine/core';
import type { Delivery } from '@reachout/contract/sends.ts';
import { deliveryStates } from '@reachout/contract/statuses.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { readChoice } from '#web/platform/list-search.ts';
import { useChangeSearch } from '#web/platform/use-change-search.ts';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { deliveriesQuery, deliveryList, type DeliverySearch } from './send-queries.ts';

interface Props {
  sendId: string;
  search: DeliverySearch;
  /** While a send moves, its messages are asked for again now and then. */
  live: boolean;
}

export function Deliveries({ sendId, search, live }: Props) {
  const { t } = useTranslation(['sends', 'common']);
  const change = useChangeSearch<DeliverySearch>();
  const columns = useColumns();
  const query = useQuery({
    ...deliveriesQuery(useOrganization(), sendId, search),
    refetchInterval: live ? 4_000 : false,
  });
  return (
    <section aria-labelledby="deliveries">
      <Title order={2} size="h3" mb="sm" id="deliveries">
        {t('deliveries')}
      </Title>
      <ListPage
        query={query}
        what={t('deliveries')}
        searchLabel={t('searchAddress')}
        filters={
          <NativeSelect
            aria-label={t('state')}
            value={search.state ?? ''}
            data={[
              { value: '', label: t('anyState') },
              ...deliveryStates.map((value) => ({ value, label: t(`common:status.${value}`) })),
            ]}
            onChange={(event) => change({ state: readChoice(event.currentTarget.value, deliveryStates) })}
          />
        }
        filtered={search.state !== undefined}
        noResults={t('noDeliveries')}
        empty={<Text c="dimmed">{t('noneYet')}</Text>}
        list={deliveryList}
      >
        {(table) => (
          <DataTable {...table} label={t('deliveries')} columns={columns} rowKey={({ seq }) => String(seq)} />
        )}
      </ListPage>
    </section>
  );
}

function useColumns(): Column<Delivery>[] {
  const { t } = useTranslation(['sends', 'common']);
  const format = useFormat();
  return [
    { header: t('address'), cell: (delivery) => delivery.address },
    { header: t('state'), cell: (delivery) => <StatusBadge status={delivery.state} /> },
    { header: t('attempts'), align: 'end', cell: (delivery) => format.number(delivery.attempts) },
    { header: t('reply'), cell: (delivery) => delivery.reply ?? t('common:none') },
    {
      header: t('at'),
      cell: (delivery) => (
        <span className="one-line">{delivery.at ? format.dateTime(delivery.at) : t('common:none')}</span>
      ),
    },
  ];
}

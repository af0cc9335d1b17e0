import { Group, NativeSelect, Text, Title } from '@mantine/core';
import type { Delivery } from '@reachout/contract/sends.ts';
import { deliveryStates, type DeliveryState } from '@reachout/contract/statuses.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/scope.ts';
import { compact, readChoice, type Change } from '#web/platform/list-search.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { NoMatch } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';

export interface DeliverySearch {
  search?: string;
  page?: number;
  state?: DeliveryState;
}

interface Props {
  sendId: string;
  search: DeliverySearch;
  onChange: (change: Change<DeliverySearch>) => void;
  /** While a send moves, its messages are asked for again now and then. */
  live: boolean;
}

const pageSize = 20;

export function Deliveries({ sendId, search: { search, page = 1, state }, onChange, live }: Props) {
  const { t } = useTranslation(['sends', 'common']);
  const format = useFormat();
  const { api } = useOrganization();
  const query = useQuery(
    api.sends.deliveries.queryOptions({
      input: compact({ id: sendId, search, state, page: page - 1, page_size: pageSize }),
      placeholderData: keepPreviousData,
      refetchInterval: live ? 4_000 : false,
      meta: { quiet: true },
    }),
  );
  const filtered = search !== undefined || state !== undefined;
  const columns: Column<Delivery>[] = [
    { key: 'address', header: t('address'), cell: (delivery) => delivery.address },
    { key: 'state', header: t('state'), cell: (delivery) => <StatusBadge status={delivery.state} /> },
    {
      key: 'attempts',
      header: t('attempts'),
      align: 'end',
      cell: (delivery) => format.number(delivery.attempts),
    },
    { key: 'reply', header: t('reply'), cell: (delivery) => delivery.reply ?? t('common:none') },
    {
      key: 'at',
      header: t('at'),
      cell: (delivery) => (
        <span className="one-line">{delivery.at ? format.dateTime(delivery.at) : t('common:none')}</span>
      ),
    },
  ];
  return (
    <section aria-labelledby="deliveries">
      <Title order={2} size="h3" mb="sm" id="deliveries">
        {t('deliveries')}
      </Title>
      <Group mb="md" align="flex-end">
        <SearchField
          label={t('searchAddress')}
          value={search ?? ''}
          onSearch={(text) => onChange({ search: text || undefined, page: undefined })}
        />
        <NativeSelect
          aria-label={t('state')}
          value={state ?? ''}
          data={[
            { value: '', label: t('anyState') },
            ...deliveryStates.map((value) => ({ value, label: t(`deliveryState.${value}`) })),
          ]}
          onChange={(event) =>
            onChange({ state: readChoice(event.currentTarget.value, deliveryStates), page: undefined })
          }
        />
      </Group>
      <AsyncRegion query={query} what={t('deliveries')}>
        {({ items, count }) =>
          count === 0 ? (
            filtered ? (
              <NoMatch
                text={t('noDeliveries')}
                onClear={() => onChange({ search: undefined, state: undefined, page: undefined })}
              />
            ) : (
              <Text c="dimmed">{t('noneYet')}</Text>
            )
          ) : (
            <>
              <DataTable
                label={t('deliveries')}
                columns={columns}
                rows={items}
                rowKey={(delivery) => String(delivery.seq)}
                busy={query.isPlaceholderData}
              />
              <Pager
                page={page}
                pageSize={pageSize}
                total={count}
                onPage={(next) => onChange({ page: next })}
              />
            </>
          )
        }
      </AsyncRegion>
    </section>
  );
}

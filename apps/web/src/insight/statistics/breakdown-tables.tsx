import { Text, Title } from '@mantine/core';
import { measuredOf } from '@reachout/contract/rules/measured.ts';
import type { DeviceRow, ProviderRow } from '@reachout/contract/statistics.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { StackedTable } from './stacked-table.tsx';
import { useRate } from './use-rate.ts';

/** Results by mail provider of the recipients. */
export function ProviderTable({ rows }: { rows: readonly ProviderRow[] }) {
  const { t } = useTranslation('statistics');
  const format = useFormat();
  const rate = useRate();
  return (
    <section>
      <Title order={2} size="h3" mb="sm">
        {t('providers.title')}
      </Title>
      {rows.length === 0 ? (
        <Text c="dimmed">{t('providers.none')}</Text>
      ) : (
        <StackedTable
          label={t('providers.title')}
          rows={rows}
          rowKey={({ provider }) => provider}
          columns={[
            { header: t('providers.provider'), cell: ({ provider }) => t(`providers.${provider}`) },
            { header: t('providers.recipients'), align: 'end', cell: (row) => format.number(row.recipients) },
            {
              header: t('tiles.delivered'),
              align: 'end',
              cell: ({ delivered, bounced }) => rate(delivered, delivered + bounced),
            },
            { header: t('tiles.clickRate'), align: 'end', cell: (row) => rate(row.clicked, measuredOf(row)) },
            { header: t('tiles.openRate'), align: 'end', cell: (row) => rate(row.opened, measuredOf(row)) },
          ]}
        />
      )}
    </section>
  );
}

/** Results by device. */
export function DeviceTable({ rows }: { rows: readonly DeviceRow[] }) {
  const { t } = useTranslation('statistics');
  const format = useFormat();
  const all = { opened: 0, clicked: 0 };
  for (const row of rows) {
    all.opened += row.opened;
    all.clicked += row.clicked;
  }
  const cell = (key: 'opened' | 'clicked') => (row: DeviceRow) =>
    row[key] === 0
      ? format.number(0)
      : t('comparison.rate', { rate: format.percent(row[key] / all[key]), number: format.number(row[key]) });
  return (
    <section>
      <Title order={2} size="h3">
        {t('devices.title')}
      </Title>
      {rows.length === 0 ? (
        <Text c="dimmed">{t('devices.none')}</Text>
      ) : (
        <>
          <Text size="sm" c="dimmed" mb="sm">
            {t('devices.hint')}
          </Text>
          <PlainTable
            label={t('devices.title')}
            rows={rows}
            rowKey={({ device }) => device}
            columns={[
              { header: t('devices.device'), cell: ({ device }) => t(`devices.${device}`) },
              { header: t('devices.clicked'), align: 'end', cell: cell('clicked') },
              { header: t('devices.opened'), align: 'end', cell: cell('opened') },
            ]}
          />
        </>
      )}
    </section>
  );
}

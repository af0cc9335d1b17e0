import { Text } from '@mantine/core';
import { measuredOf } from '@reachout/contract/rules/measured.ts';
import type { DeviceRow, FailureRow, ProviderRow } from '@reachout/contract/statistics.ts';
import type { BounceClass } from '@reachout/contract/statuses.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { QuietText, SectionTitle } from '#web/ui/text.ts';
import { StackedTable } from './stacked-table.tsx';
import { useRate } from './use-rate.ts';

/** Results by mail provider of the recipients. */
export function ProviderTable({ rows }: { rows: readonly ProviderRow[] }) {
  const { t } = useTranslation('statistics');
  const format = useFormat();
  const rate = useRate();
  return (
    <section>
      <SectionTitle mb="sm">{t('providers.title')}</SectionTitle>
      {rows.length === 0 ? (
        <Text c="dimmed">{t('providers.none')}</Text>
      ) : (
        <StackedTable
          label={t('providers.title')}
          rows={rows}
          rowKey={({ provider }) => provider}
          columns={[
            { header: t('providers.provider'), cell: ({ provider }) => t(`providers.${provider}`) },
            { header: t('words.recipients'), align: 'end', cell: (row) => format.number(row.recipients) },
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

/** What was not delivered, by reason and recipient domain, with what the server said last. */
export function FailureTable({ rows }: { rows: readonly FailureRow[] }) {
  const { t } = useTranslation('statistics');
  const format = useFormat();
  return (
    <section>
      <SectionTitle mb="sm">{t('failures.title')}</SectionTitle>
      {rows.length === 0 ? (
        <Text c="dimmed">{t('failures.none')}</Text>
      ) : (
        <StackedTable
          label={t('failures.title')}
          rows={rows}
          rowKey={(row) => `${row.state} ${row.class} ${row.domain}`}
          columns={[
            {
              header: t('failures.reason'),
              cell: ({ class: rejection, reply }) => (
                <FailureReason reason={rejection ?? 'unbuilt'} reply={reply} />
              ),
            },
            { header: t('failures.domain'), cell: ({ domain }) => domain },
            {
              header: t('failures.count'),
              align: 'end',
              cell: ({ count, late }) =>
                late === 0
                  ? format.number(count)
                  : t('failures.late', { number: format.number(count), late: format.number(late) }),
            },
            { header: t('failures.last'), cell: ({ last_at }) => format.dateTime(last_at) },
          ]}
        />
      )}
    </section>
  );
}

function FailureReason({ reason, reply }: { reason: BounceClass | 'unbuilt'; reply: string | null }) {
  const { t } = useTranslation('statistics');
  return (
    <>
      {t(`failures.${reason}`)}
      {reply !== null && (
        <Text size="xs" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {reply}
        </Text>
      )}
    </>
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
      <SectionTitle>{t('devices.title')}</SectionTitle>
      {rows.length === 0 ? (
        <Text c="dimmed">{t('devices.none')}</Text>
      ) : (
        <>
          <QuietText mb="sm">{t('devices.hint')}</QuietText>
          <PlainTable
            label={t('devices.title')}
            rows={rows}
            rowKey={({ device }) => device}
            columns={[
              { header: t('words.device'), cell: ({ device }) => t(`devices.${device}`) },
              { header: t('devices.clicked'), align: 'end', cell: cell('clicked') },
              { header: t('devices.opened'), align: 'end', cell: cell('opened') },
            ]}
          />
        </>
      )}
    </section>
  );
}

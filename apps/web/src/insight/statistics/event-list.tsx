import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import type { client } from '#web/platform/api.ts';
import { PlainTable } from '#web/ui/plain-table.tsx';

type Row = Awaited<ReturnType<typeof client.statistics.emailEvents>>['data'][number];

export function EventList({ rows }: { rows: readonly Row[] }) {
  const { t } = useTranslation('statistics');
  const format = useFormat();
  const type = (row: Row) => (
    <>
      {t(`events.${row.type}`)}
      {row.is_bot && <span className="beside">{t('events.bot')}</span>}
    </>
  );
  return (
    <section>
      <Title order={2} size="h3" mb="sm">
        {t('events.title')}
      </Title>
      {rows.length === 0 ? (
        <Text c="dimmed">{t('events.none')}</Text>
      ) : (
        <PlainTable
          label={t('events.title')}
          rows={rows}
          rowKey={({ id }) => id}
          columns={[
            { header: t('events.type'), cell: type },
            { header: t('events.address'), cell: (row) => <span className="break">{row.address}</span> },
            { header: t('events.at'), align: 'end', cell: (row) => format.relative(row.at) },
          ]}
        />
      )}
    </section>
  );
}

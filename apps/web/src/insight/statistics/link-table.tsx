import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import type { client } from '#web/platform/api.ts';
import { PlainTable } from '#web/ui/plain-table.tsx';

type Row = Awaited<ReturnType<typeof client.statistics.emailLinks>>['data'][number];

export function LinkTable({ rows }: { rows: readonly Row[] }) {
  const { t } = useTranslation('statistics');
  const format = useFormat();
  return (
    <section>
      <Title order={2} size="h3" mb="sm">
        {t('links.title')}
      </Title>
      {rows.length === 0 ? (
        <Text c="dimmed">{t('links.none')}</Text>
      ) : (
        <PlainTable
          label={t('links.title')}
          rows={rows}
          rowKey={(row) => row.link_no}
          columns={[
            { header: t('links.url'), cell: (row) => row.url },
            { header: t('links.unique'), align: 'end', cell: (row) => format.number(row.unique) },
            { header: t('links.total'), align: 'end', cell: (row) => format.number(row.total) },
          ]}
        />
      )}
    </section>
  );
}

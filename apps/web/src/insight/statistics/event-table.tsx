import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { client } from '#web/platform/api.ts';
import { Time } from '#web/ui/time.tsx';
import { EmailText } from '#web/ui/email-text.tsx';
import { StackedTable } from './stacked-table.tsx';
import { SectionTitle } from '#web/ui/text.ts';

type Events = Awaited<ReturnType<typeof client.statistics.emailEvents>>['data'];

/** The newest events. */
export function EventTable({ rows }: { rows: Events }) {
  const { t } = useTranslation('statistics');
  const type = (row: (typeof rows)[number]) => (
    <>
      {t(`events.${row.type}`)}
      {row.is_bot && (
        <span className="beside">
          {row.moved_by === null ? t('events.bot') : t(`events.moved.${row.moved_by}`)}
        </span>
      )}
    </>
  );
  return (
    <section>
      <SectionTitle mb="sm">{t('events.title')}</SectionTitle>
      {rows.length === 0 ? (
        <Text c="dimmed">{t('events.none')}</Text>
      ) : (
        <StackedTable
          label={t('events.title')}
          rows={rows}
          rowKey={({ id }) => id}
          columns={[
            { header: t('words.event'), cell: type },
            { header: t('events.address'), cell: (row) => <EmailText address={row.address} /> },
            { header: t('words.time'), align: 'end', cell: (row) => <Time at={row.at} /> },
          ]}
        />
      )}
    </section>
  );
}

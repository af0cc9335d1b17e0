import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { client } from '#web/platform/api.ts';
import { Time } from '#web/ui/time.tsx';
import { EmailText } from '#web/ui/email-text.tsx';
import { StackedTable } from './stacked-table.tsx';

type Events = Awaited<ReturnType<typeof client.statistics.emailEvents>>['data'];

/** The newest events. */
export function EventTable({ rows }: { rows: Events }) {
  const { t } = useTranslation('statistics');
  const type = (row: (typeof rows)[number]) => (
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
        <StackedTable
          label={t('events.title')}
          rows={rows}
          rowKey={({ id }) => id}
          columns={[
            { header: t('events.type'), cell: type },
            { header: t('events.address'), cell: (row) => <EmailText address={row.address} /> },
            { header: t('events.at'), align: 'end', cell: (row) => <Time at={row.at} /> },
          ]}
        />
      )}
    </section>
  );
}

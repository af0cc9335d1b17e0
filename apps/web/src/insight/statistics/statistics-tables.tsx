import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import type { client } from '#web/platform/api.ts';
import type { Column } from '#web/ui/data-table.tsx';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { Time } from '#web/ui/time.tsx';
import { EmailText } from '#web/ui/email-text.tsx';

type Statistics = typeof client.statistics;
type Events = Awaited<ReturnType<Statistics['emailEvents']>>['data'];
type Links = Awaited<ReturnType<Statistics['emailLinks']>>['data'];

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
    <TitledTable
      title={t('events.title')}
      none={t('events.none')}
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        { header: t('events.type'), cell: type },
        { header: t('events.address'), cell: (row) => <EmailText address={row.address} /> },
        { header: t('events.at'), align: 'end', cell: (row) => <Time at={row.at} /> },
      ]}
    />
  );
}

/** The links of the email, by clicks. */
export function LinkTable({ rows }: { rows: Links }) {
  const { t } = useTranslation('statistics');
  const format = useFormat();
  return (
    <TitledTable
      title={t('links.title')}
      none={t('links.none')}
      rows={rows}
      rowKey={(row) => row.link_no}
      columns={[
        { header: t('links.url'), cell: (row) => row.url },
        { header: t('links.unique'), align: 'end', cell: (row) => format.number(row.unique) },
        { header: t('links.total'), align: 'end', cell: (row) => format.number(row.total) },
      ]}
    />
  );
}

interface Props<T> {
  title: string;
  /** In place of a table without rows. */
  none: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string | number;
}

function TitledTable<T>({ title, none, ...table }: Props<T>) {
  return (
    <section>
      <Title order={2} size="h3" mb="sm">
        {title}
      </Title>
      {table.rows.length === 0 ? <Text c="dimmed">{none}</Text> : <PlainTable {...table} label={title} />}
    </section>
  );
}

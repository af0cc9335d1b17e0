import { Title } from '@mantine/core';
import type { JobFigures } from '@reachout/contract/jobs.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { Time } from '#web/ui/time.tsx';
import { jobFiguresQuery } from './job-queries.ts';
import { useKindName } from './use-kind-name.ts';

/** Number of waiting, running and failed jobs of each kind. */
export function JobFiguresTable() {
  const { t } = useTranslation('jobs');
  const format = useFormat();
  const nameOf = useKindName();
  const { data } = useQuery(jobFiguresQuery);
  if (data === undefined || data.items.length === 0) return null;
  const columns: Column<JobFigures>[] = [
    { header: t('kind'), cell: ({ kind }) => nameOf(kind) },
    { header: t('open'), cell: ({ open }) => format.number(open), align: 'end' },
    { header: t('figures.running'), cell: ({ running }) => format.number(running), align: 'end' },
    { header: t('failed'), cell: ({ failed }) => format.number(failed), align: 'end' },
    {
      header: t('figures.waitingSince'),
      cell: ({ oldest_due_at: at }) => (at === null ? t('figures.none') : <Time at={at} />),
      align: 'end',
    },
  ];
  return (
    <section>
      <Title order={2} size="h3" mb="xs">
        {t('figures.label')}
      </Title>
      <DataTable label={t('figures.label')} columns={columns} rows={data.items} rowKey={({ kind }) => kind} />
    </section>
  );
}

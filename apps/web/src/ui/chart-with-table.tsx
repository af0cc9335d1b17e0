import { Group, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { loadChunk } from '#web/platform/lazy-chunks.ts';
import { PlainTable } from './plain-table.tsx';
import type { Series } from './series-chart.tsx';
import { QuietText, SectionTitle } from './text.ts';

const SeriesChart = lazy(() => loadChunk(() => import('./series-chart.tsx')));

type Row = Record<string, string | number>;

interface Props {
  title: string;
  /** One sentence that describes the chart, with its dates. */
  summary: string;
  /** Shown instead of chart and table. */
  empty: string | undefined;
  rows: readonly Row[];
  series: readonly Series[];
  x: string;
  /** Label of the horizontal axis, with its unit. */
  xLabel: string;
  formatValue: (value: number) => string;
  /** Controls that select the data, such as the period. */
  controls?: ReactNode;
}

export function ChartWithTable({
  title,
  summary,
  empty,
  rows,
  series,
  x,
  xLabel,
  formatValue,
  controls,
}: Props) {
  const { t } = useTranslation('statistics');
  const [view, setView] = useState('chart');
  return (
    <section aria-label={title}>
      <Group justify="space-between" mb="sm" align="flex-start">
        <div>
          <SectionTitle>{title}</SectionTitle>
          <QuietText>{summary}</QuietText>
        </div>
        <Group gap="sm">
          {controls}
          {empty === undefined && (
            <SegmentedControl
              size="xs"
              aria-label={t('words.view')}
              value={view}
              onChange={setView}
              data={[
                { value: 'chart', label: t('view.chart') },
                { value: 'table', label: t('view.table') },
              ]}
            />
          )}
        </Group>
      </Group>
      {empty !== undefined ? (
        <Text c="dimmed">{empty}</Text>
      ) : view === 'chart' ? (
        <Suspense fallback={<Skeleton height={280} radius="sm" />}>
          {/* With a large font size the tooltip is wider than a phone, even while hidden. */}
          <div role="img" aria-label={`${title}. ${summary}`} style={{ overflowX: 'clip' }}>
            <SeriesChart rows={rows} series={series} x={x} xLabel={xLabel} formatValue={formatValue} />
          </div>
        </Suspense>
      ) : (
        <PlainTable
          label={title}
          minWidth={480}
          maxHeight={420}
          rows={rows}
          rowKey={(row) => String(row['key'])}
          columns={[
            { header: xLabel, cell: (row) => row[x] },
            ...series.map(({ key, label }) => ({
              header: label,
              align: 'end' as const,
              cell: (row: Row) => formatValue(Number(row[key])),
            })),
          ]}
        />
      )}
    </section>
  );
}

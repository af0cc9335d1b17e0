import { Group, SegmentedControl, Skeleton, Table, Text, Title } from '@mantine/core';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { loadChunk } from '#web/platform/lazy-chunks.ts';
import type { Series } from './series-chart.tsx';

const SeriesChart = lazy(() => loadChunk(() => import('./series-chart.tsx')));

interface Props {
  title: string;
  /** One sentence on what the chart shows, with its dates. */
  summary: string;
  rows: readonly Record<string, string | number>[];
  series: readonly Series[];
  x: string;
  xLabel: string;
  formatValue: (value: number) => string;
  /** What chooses the numbers, such as the period. */
  controls?: ReactNode;
}

export function ChartWithTable({ title, summary, rows, series, x, xLabel, formatValue, controls }: Props) {
  const { t } = useTranslation('statistics');
  const [view, setView] = useState('chart');
  return (
    <section aria-label={title}>
      <Group justify="space-between" mb="sm" align="flex-start">
        <div>
          <Title order={2} size="h3">
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {summary}
          </Text>
        </div>
        <Group gap="sm">
          {controls}
          <SegmentedControl
            size="xs"
            aria-label={t('view.label')}
            value={view}
            onChange={setView}
            data={[
              { value: 'chart', label: t('view.chart') },
              { value: 'table', label: t('view.table') },
            ]}
          />
        </Group>
      </Group>
      {view === 'chart' ? (
        <Suspense fallback={<Skeleton height={280} radius="sm" />}>
          <div role="img" aria-label={`${title}. ${summary}`}>
            <SeriesChart rows={rows} series={series} x={x} formatValue={formatValue} />
          </div>
        </Suspense>
      ) : (
        <Table.ScrollContainer minWidth={480} maxHeight={420} tabIndex={0} aria-label={title}>
          <Table stickyHeader>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{xLabel}</Table.Th>
                {series.map((entry) => (
                  <Table.Th key={entry.key} ta="right">
                    {entry.label}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <Table.Tr key={String(row['key'])}>
                  <Table.Th scope="row" fw={400}>
                    {row[x]}
                  </Table.Th>
                  {series.map((entry) => (
                    <Table.Td key={entry.key} ta="right">
                      {formatValue(Number(row[entry.key]))}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </section>
  );
}

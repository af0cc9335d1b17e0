import { Button, Group, Text } from '@mantine/core';
import { mostRows } from '@reachout/contract/rules/statistics-tables.ts';
import type { BreakdownRow, WebsiteBreakdown } from '@reachout/contract/statistics.ts';
import { useQuery } from '@tanstack/react-query';
import { useState, type CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { countColumn } from '#web/identity/lists/columns.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { CsvLink } from '#web/insight/statistics/csv-link.tsx';
import { QueryPanel } from '#web/insight/statistics/query-panel.tsx';
import { StackedTable } from '#web/insight/statistics/stacked-table.tsx';
import { useRate } from '#web/insight/statistics/use-rate.ts';
import { FinePrint, SectionTitle } from '#web/ui/text.ts';
import { useValueName, type TableDimension } from './use-value-name.ts';
import { breakdownQuery, topRows } from './website-queries.ts';
import classes from './breakdown.module.css';

interface Props {
  dimension: TableDimension;
  touchpointId: string;
  /** In the format of the API. */
  period: string;
}

/** Page views and sessions by one dimension, or events by name: the most frequent values first. */
export function Breakdown({ dimension, touchpointId, period }: Props) {
  const { t } = useTranslation('websites');
  const [isAll, setAll] = useState(false);
  const limit = isAll ? mostRows : topRows;
  const query = useQuery(breakdownQuery(useOrganization(), touchpointId, period, dimension, limit));
  const title = t(`statistics.${dimension}.title`);
  return (
    <QueryPanel id={dimension} query={query} what={title}>
      {({ data }) => (
        <section aria-label={title}>
          <SectionTitle mb="sm">{title}</SectionTitle>
          {data.rows.length === 0 ? (
            <Text c="dimmed">{t(`statistics.${dimension}.none`)}</Text>
          ) : (
            <>
              <BreakdownTable dimension={dimension} breakdown={data} />
              <Notes breakdown={data} />
              <Group gap="sm" mt="sm">
                {data.values > topRows && (
                  <Button size="xs" aria-expanded={isAll} onClick={() => setAll(!isAll)}>
                    {isAll
                      ? t('statistics.showTop', { count: topRows })
                      : t('statistics.showAll', { count: Math.min(data.values, mostRows) })}
                  </Button>
                )}
                <CsvLink touchpointId={touchpointId} table={dimension} period={period} />
              </Group>
            </>
          )}
        </section>
      )}
    </QueryPanel>
  );
}

function BreakdownTable({
  dimension,
  breakdown: { total, rows },
}: Pick<Props, 'dimension'> & { breakdown: WebsiteBreakdown }) {
  const { t } = useTranslation('websites');
  const format = useFormat();
  const rate = useRate();
  const nameOf = useValueName(dimension);
  const share = ({ count }: BreakdownRow) =>
    ({ '--share': `${total.count === 0 ? 0 : (100 * count) / total.count}%` }) as CSSProperties;
  return (
    <StackedTable
      label={t('words.asTable', { title: t(`statistics.${dimension}.title`) })}
      rows={rows}
      rowKey={({ value, is_other }) => (is_other ? ' other' : value)}
      {...(rows.length > topRows ? { maxHeight: 480 } : {})}
      columns={[
        {
          header: t(`statistics.${dimension}.value`),
          cell: (row) => (
            <>
              {row.is_other ? t('statistics.other') : nameOf(row.value)}
              <span className={classes.share} style={share(row)} aria-hidden />
            </>
          ),
        },
        {
          header: t(dimension === 'event' ? 'statistics.tiles.events' : 'statistics.tiles.page_views'),
          align: 'end',
          cell: ({ count }) => format.number(count),
        },
        { header: t('words.share'), align: 'end', cell: ({ count }) => rate(count, total.count) },
        ...(total.sessions === null
          ? []
          : [
              {
                header: t('statistics.tiles.sessions'),
                align: 'end' as const,
                cell: ({ sessions }: BreakdownRow) => format.number(sessions ?? 0),
              },
            ]),
        countColumn<BreakdownRow>('previous_count', t('statistics.before'), (row) => row.previous_count),
      ]}
    />
  );
}

/** What a table leaves out or adds up. */
function Notes({ breakdown: { values, rows } }: { breakdown: WebsiteBreakdown }) {
  const { t } = useTranslation('websites');
  return (
    <>
      {rows.some(({ is_other }) => is_other) && <FinePrint mt="xs">{t('statistics.otherHint')}</FinePrint>}
      {values > mostRows && rows.length > topRows && (
        <FinePrint mt="xs">{t('statistics.most', { count: mostRows, values })}</FinePrint>
      )}
    </>
  );
}

import { Button, Group, Paper, Text, Title } from '@mantine/core';
import type { DashboardResults } from '@reachout/contract/dashboard.ts';
import {
  dashboardPeriods,
  longestDashboardPeriod,
  type DashboardPeriod,
  resultColumns,
  type ResultColumn,
} from '@reachout/contract/rules/dashboard.ts';
import { baseOf } from '@reachout/contract/rules/measured.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { CountedUntil } from '#web/insight/statistics/counted-until.tsx';
import { spanFormat } from '#web/insight/statistics/span-format.ts';
import { useRate } from '#web/insight/statistics/use-rate.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { ChoiceSwitch } from '#web/ui/choice-switch.tsx';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { FinePrint, SectionTitle } from '#web/ui/text.ts';
import { resultsQuery } from './dashboard-queries.ts';
import { ResultTiles } from './result-tiles.tsx';
import { ResultsSkeleton } from './dashboard-skeleton.tsx';
import classes from './results.module.css';

interface Props {
  period: DashboardPeriod;
  onPeriod: (period: DashboardPeriod) => void;
}

/** The figures of a period compared with the previous one, and the figures by client. */
export function ResultsPanel({ period, onPeriod }: Props) {
  const { t } = useTranslation('dashboard');
  const scope = useOrganization();
  const query = useQuery(resultsQuery(scope, period));
  return (
    <section aria-label={t('results.title')}>
      <Group justify="space-between" mb="sm" gap="xs" className={classes.head}>
        <SectionTitle>{t('results.title')}</SectionTitle>
        <ChoiceSwitch
          aria-label={t('results.period')}
          value={period}
          onChange={onPeriod}
          data={dashboardPeriods.map((value) => ({ value, label: t(`results.periods.${value}`) }))}
        />
      </Group>
      <AsyncRegion query={query} what={t('results.what')} skeleton={<ResultsSkeleton />}>
        {(results) =>
          isEmpty(results) ? (
            <NothingHappened period={period} onPeriod={onPeriod} />
          ) : (
            <>
              <ResultTiles results={results} period={period} />
              <ComparedSpans results={results} />
              <CountedUntil counted={results.counted} />
              {scope.clientId === undefined && results.clients.length > 0 && (
                <ClientResults results={results} period={period} />
              )}
            </>
          )
        }
      </AsyncRegion>
    </section>
  );
}

const isEmpty = ({ total }: DashboardResults): boolean => Object.values(total).every((count) => count === 0);

function NothingHappened({ period, onPeriod }: Props) {
  const { t } = useTranslation('dashboard');
  return (
    <Paper withBorder radius="md" p="lg" className={classes.empty}>
      <div>
        <Text fw={500}>{t('results.none')}</Text>
        <Text c="dimmed">{t('results.noneHint')}</Text>
      </div>
      {period !== longestDashboardPeriod && (
        <Button onClick={() => onPeriod(longestDashboardPeriod)}>{t('results.longest')}</Button>
      )}
    </Paper>
  );
}

/** The dates of both periods. */
function ComparedSpans({ results }: { results: DashboardResults }) {
  const { t } = useTranslation('dashboard');
  const { locale } = useFormat();
  const { range } = spanFormat(locale, results.unit, results.time_zone);
  return (
    <FinePrint mt="xs">
      {t('results.compared', { now: range(results.period), before: range(results.previous_period) })}
    </FinePrint>
  );
}

type Row = DashboardResults['clients'][number];

/** The figures by client; each number links to the emails it counts. */
function ClientResults({ results, period }: { results: DashboardResults; period: DashboardPeriod }) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const rate = useRate();
  const { orgId } = useOrganization();
  const { clients, clients_count: count } = results;
  const link = (row: Row, column: ResultColumn, share?: string) => (
    <LinkAnchor
      to="/o/$orgId/results"
      params={{ orgId }}
      search={{ client: row.client.id, period, order: `${column}.desc` }}
      aria-label={t('clients.numberOf', {
        what: t(`clients.${column}`),
        client: row.client.name,
        number: format.number(row[column]),
      })}
    >
      {format.number(row[column])}
      {/* Outside the link, because otherwise only the color would distinguish link and text. */}
      {share !== undefined && (
        <FinePrint span ms="xs">
          {share}
        </FinePrint>
      )}
    </LinkAnchor>
  );
  const columns = resultColumns.map((key) => ({
    header: t(`clients.${key}`),
    align: 'end' as const,
    cell: (row: Row) => link(row, key, key === 'delivered' ? undefined : rate(row[key], baseOf(key, row))),
  }));
  return (
    <Paper
      withBorder
      radius="md"
      component="section"
      aria-label={t('clients.title')}
      className={classes.clients}
    >
      <Group justify="space-between" px="md" pb="xs">
        <Title order={3}>{t('clients.title')}</Title>
        {count > clients.length && (
          <LinkAnchor size="sm" to="/o/$orgId/clients" params={{ orgId }}>
            {t('clients.all', { number: format.number(count) })}
          </LinkAnchor>
        )}
      </Group>
      <PlainTable
        label={t('clients.title')}
        minWidth={640}
        rows={clients}
        rowKey={({ client }) => client.id}
        columns={[
          {
            header: t('words.client'),
            cell: ({ client }) => (
              <LinkAnchor to="/o/$orgId" params={{ orgId }} search={{ client: client.id }} fw={500}>
                {client.name}
              </LinkAnchor>
            ),
          },
          ...columns,
        ]}
      />
    </Paper>
  );
}

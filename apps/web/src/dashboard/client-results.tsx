import { baseOf } from '@reachout/contract/rules/measured.ts';
import { Group, Paper, Text, Title } from '@mantine/core';
import type { DashboardResults } from '@reachout/contract/dashboard.ts';
import {
  resultColumns,
  type DashboardPeriod,
  type ResultColumn,
} from '@reachout/contract/rules/dashboard.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { useRate } from '#web/insight/statistics/use-rate.ts';
import classes from './results.module.css';

type Row = DashboardResults['clients'][number];

interface Props {
  results: DashboardResults;
  period: DashboardPeriod;
}

/** The figures by client; each number links to the emails it counts. */
export function ClientResults({ results, period }: Props) {
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
        <Text span size="xs" c="dimmed" ms="xs">
          {share}
        </Text>
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
            header: t('clients.client'),
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

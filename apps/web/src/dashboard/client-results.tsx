import { Group, Paper, Text, Title } from '@mantine/core';
import type { DashboardResults } from '@reachout/contract/dashboard.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { rate } from './result-tiles.tsx';
import classes from './results.module.css';

type Row = DashboardResults['clients'][number];

/** The figures by client; each number links to the emails it counts. */
export function ClientResults({ results }: { results: DashboardResults }) {
  const { t } = useTranslation(['dashboard', 'common']);
  const format = useFormat();
  const { orgId } = useOrganization();
  const { clients, clients_count: count } = results;
  const sent = (row: Row, value: number, what: string, share?: string) => (
    <LinkAnchor
      to="/o/$orgId/touchpoints"
      params={{ orgId }}
      search={{ client: row.client.id, status: 'sent' }}
      aria-label={t('clients.numberOf', { what, client: row.client.name, number: format.number(value) })}
    >
      {format.number(value)}
      {/* Outside the link, because otherwise only the color would distinguish link and text. */}
      {share !== undefined && (
        <Text span size="xs" c="dimmed" ms="xs">
          {share}
        </Text>
      )}
    </LinkAnchor>
  );
  const shared = (row: Row, value: number, what: string) =>
    sent(row, value, what, rate(format, value, row.delivered, t('common:none')));
  const columns = (['delivered', 'clicked', 'opened', 'unsubscribed'] as const).map((key) => ({
    header: t(`clients.${key}`),
    align: 'end' as const,
    cell: (row: Row) => (key === 'delivered' ? sent : shared)(row, row[key], t(`clients.${key}`)),
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
        minWidth={560}
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

import { baseOf } from '@reachout/contract/rules/measured.ts';
import { SegmentedControl, Text } from '@mantine/core';
import type { EmailResults, Results } from '@reachout/contract/dashboard.ts';
import { resultColumns } from '@reachout/contract/rules/dashboard.ts';
import { dashboardPeriods, defaultDashboardPeriod } from '@reachout/contract/rules/dashboard.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { loadResultTexts } from '#web/i18n/i18n.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { useRate } from '#web/insight/statistics/use-rate.ts';
import { compact, defineList, readChoice, type SearchOf } from '#web/platform/list-search.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { currentTimeZone } from '#web/platform/preferences.ts';
import { useChangeSearch } from '#web/platform/use-change-search.ts';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { ListPage } from '#web/ui/list-page.tsx';

const list = defineList({
  pageSize: 50,
  sortBy: resultColumns,
  defaultOrder: 'delivered.desc',
  filters: (raw) => compact({ period: readChoice(raw['period'], dashboardPeriods) }),
});
type Search = SearchOf<typeof list>;

const resultsQuery = ({ api, orgId, clientId }: OrganizationContext, search: Search) =>
  api.dashboard.emails.queryOptions({
    input: compact({
      organization_id: orgId,
      client_id: clientId,
      period: search.period,
      time_zone: currentTimeZone(),
      ...list.input(search),
    }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });

export const Route = createFileRoute('/o/$orgId/results')({
  ...list.route,
  beforeLoad: loadResultTexts,
  loader: ({ context, deps }) => context.preload((scope) => [resultsQuery(scope, deps)]),
  component: ResultsByEmail,
});

/** The emails behind the numbers of the dashboard. */
function ResultsByEmail() {
  const { t } = useTranslation(['statistics', 'dashboard']);
  const search = Route.useSearch();
  const change = useChangeSearch<Search>();
  const query = useQuery(resultsQuery(useOrganization(), search));
  const columns = useColumns();
  return (
    <>
      <PageHeader title={t('byEmail.title')} note={query.data && <Totals total={query.data.total} />} />
      <ListPage
        query={query}
        what={t('byEmail.title')}
        filters={
          <SegmentedControl
            size="xs"
            aria-label={t('dashboard:results.period')}
            value={search.period ?? defaultDashboardPeriod}
            onChange={(next) => change({ period: next === defaultDashboardPeriod ? undefined : next })}
            data={dashboardPeriods.map((value) => ({
              value,
              label: t(`dashboard:results.periods.${value}`),
            }))}
          />
        }
        filtered={search.period !== undefined}
        noResults={t('dashboard:results.none')}
        empty={<Text c="dimmed">{t('dashboard:results.none')}</Text>}
        list={list}
      >
        {(table) => (
          <DataTable
            {...table}
            label={t('byEmail.title')}
            columns={columns}
            rowKey={({ touchpoint }) => touchpoint.id}
          />
        )}
      </ListPage>
    </>
  );
}

/** The numbers of the dashboard, which the rows of all pages add up to. */
function Totals({ total }: { total: Results }) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const shown = resultColumns.map((column) => `${t(`clients.${column}`)}: ${format.number(total[column])}`);
  const notMeasured = t('results.notMeasured', { number: format.number(total.not_measured) });
  return [...shown, ...(total.not_measured > 0 ? [notMeasured] : [])].join(' · ');
}

function useColumns(): Column<EmailResults>[] {
  const { t } = useTranslation(['statistics', 'dashboard']);
  const format = useFormat();
  const rate = useRate();
  const { orgId } = useOrganization();
  return [
    {
      header: t('byEmail.email'),
      cell: ({ touchpoint: { id, name } }) => (
        <LinkAnchor to="/o/$orgId/touchpoints/$touchpointId/statistics" params={{ orgId, touchpointId: id }}>
          {name}
        </LinkAnchor>
      ),
    },
    {
      header: t('byEmail.brand'),
      cell: ({ brand, client }) => <span className="break">{`${brand.name} · ${client.name}`}</span>,
    },
    ...resultColumns.map((column) => ({
      header: t(`dashboard:clients.${column}`),
      sort: column,
      isDescendingFirst: true,
      align: 'end' as const,
      cell: (row: EmailResults) => (
        <>
          {format.number(row[column])}
          {column !== 'delivered' && <span className="share">{rate(row[column], baseOf(column, row))}</span>}
        </>
      ),
    })),
  ];
}

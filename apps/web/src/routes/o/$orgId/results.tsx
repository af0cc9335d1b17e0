import { baseOf } from '@reachout/contract/rules/measured.ts';
import { SegmentedControl } from '@mantine/core';
import type { EmailResults, Results } from '@reachout/contract/dashboard.ts';
import { resultColumns } from '@reachout/contract/rules/dashboard.ts';
import { dashboardPeriods, defaultDashboardPeriod } from '@reachout/contract/rules/dashboard.ts';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { wordsColumn } from '#web/identity/lists/columns.tsx';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { RecordList } from '#web/identity/lists/record-list.tsx';
import { loadResultTexts } from '#web/i18n/i18n.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { useRate } from '#web/insight/statistics/use-rate.ts';
import { compact, defineList, readChoice, type SearchOf } from '#web/platform/list-search.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { currentTimeZone } from '#web/platform/preferences.ts';
import { useChangeSearch } from '#web/platform/use-change-search.ts';

const list = defineList({
  pageSize: 50,
  sortBy: resultColumns,
  defaultOrder: 'delivered.desc',
  filters: (raw) => compact({ period: readChoice(raw['period'], dashboardPeriods) }),
});
type Search = SearchOf<typeof list>;

const resultsQuery = ({ api, orgId, clientId }: OrganizationContext, search: Search) =>
  api.dashboard.emails.queryOptions({
    ...list.query(search, {
      organization_id: orgId,
      client_id: clientId,
      period: search.period,
      time_zone: currentTimeZone(),
    }),
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
  const query = useQuery(resultsQuery(useOrganization(), Route.useSearch()));
  return (
    <>
      <PageHeader title={t('byEmail.title')} note={query.data && <Totals total={query.data.total} />} />
      <RecordList
        query={query}
        list={list}
        header={false}
        texts="statistics:byEmail"
        columns={useColumns()}
        keyOf={({ touchpoint }) => touchpoint.id}
        filters={[{ names: ['period'], control: <Period /> }]}
        noMatch={t('dashboard:results.none')}
        empty={{ text: t('dashboard:results.none') }}
      />
    </>
  );
}

function Period() {
  const { t } = useTranslation('dashboard');
  const { period = defaultDashboardPeriod } = Route.useSearch();
  const change = useChangeSearch<Search>();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('results.period')}
      value={period}
      onChange={(next) => change({ period: next === defaultDashboardPeriod ? undefined : next })}
      data={dashboardPeriods.map((value) => ({ value, label: t(`results.periods.${value}`) }))}
    />
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

function useColumns(): ListColumn<EmailResults>[] {
  const { t } = useTranslation(['statistics', 'dashboard']);
  const format = useFormat();
  const rate = useRate();
  const { orgId } = useOrganization();
  return [
    {
      name: 'email',
      header: t('words.email'),
      cell: ({ touchpoint: { id, name } }) => (
        <LinkAnchor to="/o/$orgId/touchpoints/$touchpointId/statistics" params={{ orgId, touchpointId: id }}>
          {name}
        </LinkAnchor>
      ),
    },
    wordsColumn('brand', t('words.brand'), ({ brand, client }) => `${brand.name} · ${client.name}`),
    ...resultColumns.map((column) => ({
      name: column,
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

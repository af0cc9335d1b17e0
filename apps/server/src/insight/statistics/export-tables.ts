import { cumulate, cumulatedReactions } from '@reachout/contract/rules/cumulated-chart.ts';
import type { Period } from '@reachout/contract/period.ts';
import type { TouchpointType } from '@reachout/contract/states/touchpoint.ts';
import type { WebsiteDimension } from '@reachout/contract/states/website.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { listClickCountries, listDevices, listProviders } from './breakdown.queries.ts';
import { listLatestEvents, listLinks, type StatisticsQuery } from './email-statistics.queries.ts';
import {
  getEmailChart,
  getEmailStats,
  requireStatisticsTarget,
  toPeriod,
  type PeriodInput,
} from './email-statistics.ts';
import { readWebsiteConversions } from './website-conversions.ts';
import { readBreakdown, readWebsiteOverview } from './website-overview.ts';

/** Values of a breakdown, and the latest events of an email. */
const maxRows = 1_000;

type Cell = string | number | boolean | null;
type Row<Column extends string> = Readonly<Record<Column, Cell>>;

/** A table of the statistics of a touchpoint, whose columns have the names of the API. */
interface Table {
  columns: readonly string[];
  /** Whether it can be limited to a period; others are over all time. */
  hasPeriod: boolean;
  /** Reads the rows, without a period those that the API returns without one. */
  read: (
    trx: Transaction,
    query: StatisticsQuery,
    viewer: Omit<PeriodInput, 'text'> & { text: string | undefined },
  ) => Promise<readonly Row<string>[]>;
}

const overAllTime = <Column extends string>(
  columns: readonly Column[],
  list: (trx: Transaction, query: StatisticsQuery) => Promise<readonly Row<Column>[]>,
): Table => ({
  columns,
  hasPeriod: false,
  read: async (trx, query) => {
    await requireStatisticsTarget(trx, query);
    return await list(trx, query);
  },
});

const inPeriod = <Column extends string>(
  columns: readonly Column[],
  defaultPeriod: string,
  list: (trx: Transaction, query: StatisticsQuery, input: PeriodInput) => Promise<readonly Row<Column>[]>,
): Table => ({
  columns,
  hasPeriod: true,
  read: (trx, query, { text = defaultPeriod, ...viewer }) => list(trx, query, { text, ...viewer }),
});

const email = {
  chart: inPeriod(['at', ...cumulatedReactions], '7day', async (trx, query, input) =>
    cumulate((await getEmailChart(trx, query, input)).rows),
  ),
  links: overAllTime(['link_no', 'url', 'unique', 'total', 'bots'], listLinks),
  providers: overAllTime(
    ['provider', 'recipients', 'delivered', 'not_measured', 'bounced', 'opened', 'clicked'],
    listProviders,
  ),
  devices: overAllTime(['device', 'opened', 'clicked'], listDevices),
  countries: overAllTime(['country', 'clicked'], listClickCountries),
  events: overAllTime(['at', 'type', 'address', 'url', 'is_bot'], (trx, query) =>
    listLatestEvents(trx, query, { limit: maxRows }),
  ),
  funnel: {
    columns: [
      'delivered',
      'not_measured',
      'clicked',
      'visited',
      'converted',
      'conversions',
      'conversion_value',
    ],
    hasPeriod: true,
    read: async (trx, query, { text, ...viewer }) => {
      const stats = await getEmailStats(trx, query, text === undefined ? undefined : { text, ...viewer });
      return [{ ...stats, opened: stats.opened.unique, clicked: stats.clicked.unique }];
    },
  },
} satisfies Record<string, Table>;

const ofWebsite = <Column extends string>(
  columns: readonly Column[],
  list: (
    trx: Transaction,
    query: StatisticsQuery,
    period: Period & { timeZone: string },
  ) => Promise<readonly Row<Column>[]>,
): Table =>
  inPeriod(columns, '30day', (trx, query, input) =>
    list(trx, query, { ...toPeriod(input), timeZone: input.timeZone }),
  );

const toBreakdown = (dimension: WebsiteDimension, counts: readonly ('count' | 'sessions')[]): Table =>
  ofWebsite(['value', 'is_other', ...counts, 'previous_count'], async (trx, query, period) => {
    const { rows } = await readBreakdown(trx, query, period, { dimension, limit: maxRows });
    return rows;
  });

const website = {
  chart: ofWebsite(['at', 'page_views', 'sessions', 'events', 'conversions'], async (trx, query, period) => {
    const { rows } = await readWebsiteOverview(trx, query, period);
    return rows;
  }),
  path: toBreakdown('path', ['count']),
  referrer: toBreakdown('referrer', ['count', 'sessions']),
  country: toBreakdown('country', ['count', 'sessions']),
  language: toBreakdown('language', ['count', 'sessions']),
  screen: toBreakdown('screen', ['count', 'sessions']),
  event: toBreakdown('event', ['count']),
  goals: ofWebsite(
    ['event', 'conversions', 'value', 'attributed', 'previous_conversions'],
    async (trx, query, period) => {
      const { goals } = await readWebsiteConversions(trx, query, period);
      return goals;
    },
  ),
  emails: ofWebsite(
    ['touchpoint_id', 'name', 'converted', 'conversions', 'value'],
    async (trx, query, period) => {
      const { emails } = await readWebsiteConversions(trx, query, period);
      return emails.map(({ touchpoint, ...row }) => ({
        ...row,
        touchpoint_id: touchpoint?.id ?? null,
        name: touchpoint?.name ?? null,
      }));
    },
  ),
} satisfies Record<string, Table>;

const tables = { email, website } satisfies Record<TouchpointType, Record<string, Table>>;

type TableName = keyof typeof email | keyof typeof website;
export const tableNames = [...new Set([...Object.keys(email), ...Object.keys(website)])] as TableName[];

/** @returns undefined if touchpoints of this type have no such table */
export const findTable = (type: TouchpointType, name: TableName): Table | undefined =>
  Object.entries<Table>(tables[type]).find(([each]) => each === name)?.[1];

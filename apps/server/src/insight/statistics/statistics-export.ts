import type { Period } from '@reachout/contract/period.ts';
import { cumulate, cumulatedReactions } from '@reachout/contract/rules/cumulated-chart.ts';
import { funnelColumns, toFunnel } from '@reachout/contract/rules/funnel.ts';
import { mostRows, type ExportedTable } from '@reachout/contract/rules/statistics-tables.ts';
import type { TouchpointType } from '@reachout/contract/states/touchpoint.ts';
import { hasSessions, websiteDimensions, type WebsiteDimension } from '@reachout/contract/states/website.ts';
import { fileExport } from '../../identity/access/file-exports.ts';
import { requireTouchpoint } from '../../outreach/touchpoints/find-touchpoint.ts';
import { toCsv } from '../../platform/csv-text.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { invalidInput } from '../../platform/http/api-error.ts';
import { listClickCountries, listDevices, listFailures, listProviders } from './breakdown.queries.ts';
import { listLatestEvents, listLinks } from './email-statistics.queries.ts';
import { getEmailChart, getEmailStats, ofEmail, toPeriod, type PeriodInput } from './email-statistics.ts';
import type { StatisticsQuery } from './running-counts.queries.ts';
import { readEmails, readGoals } from './website-conversions.ts';
import { readBreakdown, readWebsiteOverview } from './website-overview.ts';

export const statisticsExport = fileExport('statistics.exportTable', async (input, { who, transaction }) => {
  const { name, columns, rows } = await transaction(async (trx) => {
    const touchpoint = await requireTouchpoint(trx, input.id);
    const table = findTable(touchpoint.type, input.table);
    if (table === undefined) throw invalidInput('table', 'This touchpoint has no such table.');
    if (!table.hasPeriod && input.period !== undefined)
      throw invalidInput('period', 'This table is over all time.');
    const query = { organizationId: who.organizationId, touchpointId: input.id };
    const viewer = { text: input.period, timeZone: input.time_zone, now: new Date() };
    return {
      name: touchpoint.name,
      columns: table.columns.map((column) => [column, (row: Row<string>) => row[column]] as const),
      rows: await table.read(trx, query, viewer),
    };
  });
  return {
    name: `statistics-${input.table}.csv`,
    pieces: toCsv(Object.fromEntries(columns), [rows]),
    note: {
      record_type: 'touchpoints',
      record_id: input.id,
      record_name: name,
      details: { filters: ['table', ...(input.period === undefined ? [] : ['period'])] },
    },
  };
});

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
  read: ofEmail(list),
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
  failures: overAllTime(['state', 'class', 'domain', 'count', 'late', 'last_at', 'reply'], listFailures),
  devices: overAllTime(['device', 'opened', 'clicked'], listDevices),
  countries: overAllTime(['country', 'clicked'], listClickCountries),
  events: overAllTime(['at', 'type', 'address', 'url', 'is_bot', 'moved_by'], (trx, query) =>
    listLatestEvents(trx, query, { limit: mostRows }),
  ),
  funnel: {
    columns: funnelColumns,
    hasPeriod: true,
    read: async (trx, query, { text, ...viewer }) => [
      toFunnel(await getEmailStats(trx, query, text === undefined ? undefined : { text, ...viewer })),
    ],
  },
} satisfies Record<ExportedTable<'email'>, Table>;

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

const toBreakdown = (dimension: WebsiteDimension): Table =>
  ofWebsite(
    [
      'value',
      'is_other',
      'count',
      ...(hasSessions(dimension) ? (['sessions'] as const) : []),
      'previous_count',
    ],
    async (trx, query, period) => {
      const { rows } = await readBreakdown(trx, query, period, { dimension, limit: mostRows });
      return rows;
    },
  );

const breakdowns = Object.fromEntries(
  websiteDimensions.map((dimension) => [dimension, toBreakdown(dimension)]),
) as Record<WebsiteDimension, Table>;

const website = {
  chart: ofWebsite(['at', 'page_views', 'sessions', 'events', 'conversions'], async (trx, query, period) => {
    const { rows } = await readWebsiteOverview(trx, query, period);
    return rows;
  }),
  ...breakdowns,
  goals: ofWebsite(
    ['event', 'conversions', 'converted_visitors', 'value', 'attributed', 'previous_conversions'],
    readGoals,
  ),
  emails: ofWebsite(
    ['touchpoint_id', 'name', 'converted', 'conversions', 'value'],
    async (trx, query, period) =>
      (await readEmails(trx, query, period)).map(({ touchpoint, ...row }) => ({
        ...row,
        touchpoint_id: touchpoint?.id ?? null,
        name: touchpoint?.name ?? null,
      })),
  ),
} satisfies Record<ExportedTable<'website'>, Table>;

const tables: Record<TouchpointType, Partial<Record<ExportedTable, Table>>> = { email, website };

/** @returns undefined if touchpoints of this type have no such table */
const findTable = (type: TouchpointType, name: ExportedTable): Table | undefined => tables[type][name];

import type { DashboardPeriod } from '@reachout/contract/rules/dashboard.ts';
import type { EmailResults, Results } from '@reachout/contract/dashboard.ts';
import type { ResultColumn } from '@reachout/contract/rules/dashboard.ts';
import { readPeriod } from '@reachout/contract/period.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { splitOrder, type Paging } from '../../platform/database/list-page.ts';
import { sumEmailResults, type EmailResultsRow } from './email-results.queries.ts';
import type { ResultsQuery } from './organization-results.queries.ts';

interface Input extends ResultsQuery, Paging {
  period: DashboardPeriod;
  timeZone: string;
  now: Date;
  order: `${ResultColumn}.${'asc' | 'desc'}`;
}

/** @returns one page of the emails with a result in a period, and the sum of all of them: the results of the dashboard */
export async function listEmailResults(trx: Transaction, input: Input) {
  const { start, until } = readPeriod(input.period, { now: input.now, timeZone: input.timeZone });
  const { column, direction } = splitOrder<ResultColumn>(input.order);
  const rows = await sumEmailResults(trx, input, { start, end: until }, { ...input, column, direction });
  return {
    period: { from: start.toISOString(), until: until.toISOString() },
    items: rows.flatMap(toEmailResults),
    // One row has the sums, on every page.
    ...totalOf(rows),
  };
}

const toEmailResults = (row: EmailResultsRow): EmailResults[] =>
  row.touchpoint_id === null
    ? []
    : [
        {
          touchpoint: { id: row.touchpoint_id, name: row.touchpoint_name },
          brand: { id: row.brand_id, name: row.brand_name },
          client: { id: row.client_id, name: row.client_name },
          ...resultsOf(row),
        },
      ];

const resultsOf = ({
  delivered,
  not_measured,
  bounced,
  opened,
  clicked,
  converted,
  unsubscribed,
  complained,
}: Results): Results => ({
  delivered,
  not_measured,
  bounced,
  opened,
  clicked,
  converted,
  unsubscribed,
  complained,
});

function totalOf(rows: readonly EmailResultsRow[]): { count: number; total: Results } {
  const sums = rows.find((row) => row.touchpoint_id === null)!;
  return { count: sums.count, total: resultsOf(sums) };
}

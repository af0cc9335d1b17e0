import { z } from 'zod';
import { InvalidPeriod, readPeriod, type Period } from '@reachout/contract/period.ts';
import type { TouchpointType } from '@reachout/contract/states/touchpoint.ts';
import { eventTypes, type EventType } from '@reachout/contract/statuses.ts';
import { timeZone } from '@reachout/contract/values.ts';
import { forbidden, invalidQuery } from '../../content/rest-api/rest-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { isUuid } from '../../platform/ids.ts';
import { findTouchpointType } from './email-statistics.queries.ts';
import type { StatisticsQuery } from './running-counts.queries.ts';

const Parameters = z.object({
  touchpoint: z.string().max(100).optional(),
  type: z.enum(eventTypes).optional(),
  period: z.string().max(100).optional(),
  time_zone: timeZone.default('UTC'),
  distinct: z.enum(['true', 'false']).default('false'),
});

/** The validated parameters of a statistics API request. */
export interface StatisticsRequest {
  organizationId: string;
  touchpoint: string | undefined;
  type: EventType | undefined;
  period: string | undefined;
  timeZone: string;
  /** Of a website: sessions instead of events. */
  isDistinct: boolean;
  now: Date;
}

/** Parses the parameters; ignores unknown ones, as Directus does. @throws RestError 400 `INVALID_QUERY` */
export function readStatisticsRequest(
  given: Readonly<Record<string, unknown>>,
  organizationId: string,
  now: Date,
): StatisticsRequest {
  const read = Parameters.safeParse(given);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw invalidQuery(`${issue?.path.join('.')}: ${issue?.message}.`);
  }
  const { time_zone, distinct, ...rest } = read.data;
  return {
    organizationId,
    touchpoint: rest.touchpoint,
    type: rest.type,
    period: rest.period,
    timeZone: time_zone,
    isDistinct: distinct === 'true',
    now,
  };
}

/**
 * Finds the touchpoint of a request.
 * @throws RestError 400 if it is not given; 403 if it belongs to another organization, has another type, or does not exist
 */
export async function requireTouchpoint(
  trx: Transaction,
  { organizationId, touchpoint }: StatisticsRequest,
  type: TouchpointType,
): Promise<StatisticsQuery> {
  if (touchpoint === undefined) throw invalidQuery('touchpoint: Name the touchpoint by its id.');
  const query = { organizationId, touchpointId: touchpoint };
  if (!isUuid(touchpoint) || (await findTouchpointType(trx, query)) !== type) throw forbidden();
  return query;
}

/** @returns the period of a request, if given. @throws RestError 400 */
export const periodOf = ({ period, timeZone: zone, now }: StatisticsRequest): Period | undefined =>
  period === undefined ? undefined : readGivenPeriod(period, { timeZone: zone, now });

/** @returns the period of a chart, 7 days by default. @throws RestError 400 */
export const chartPeriodOf = ({ period = '7day', timeZone: zone, now }: StatisticsRequest): Period =>
  readGivenPeriod(period, { timeZone: zone, now });

function readGivenPeriod(text: string, viewer: { timeZone: string; now: Date }): Period {
  try {
    return readPeriod(text, viewer);
  } catch (error) {
    if (error instanceof InvalidPeriod) throw invalidQuery(`period: ${error.message}`);
    throw error;
  }
}

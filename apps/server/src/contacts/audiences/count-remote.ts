import { ORPCError } from '@orpc/contract';
import type { AudienceBreakdown, AudienceCount, AudienceReading } from '@reachout/contract/filters.ts';
import type { ContactTest } from '../../email/email-content.ts';
import { apiError } from '../../platform/http/api-error.ts';
import type { ContentBackend } from '../../content/backend/content-backend.ts';
import type { Audience } from './audience.ts';
import {
  countAudience,
  describeAudience,
  sampleAudience,
  toBreakdown,
  toHints,
  type CountLimits,
} from './count-audience.ts';
import {
  openContacts,
  listContactFields,
  type BackendAccess,
} from '../../content/gateway/contact-collection.ts';
import { findReading, readForNumbers } from './readings.ts';
import { toStorableItem } from '../../content/backend/storable-item.ts';
import { countWithoutValue } from './without-value.ts';

/** Number of first matching contacts from which the sample is taken. */
const lookedAt = 50;

const open = (
  { deps, organizationId, run }: BackendAccess,
  { endpoint }: Audience,
): Promise<ContentBackend> => openContacts(deps, organizationId, endpoint!, run, { isAwaited: true });

/** Reads the first matching contacts with all their fields. @throws 424 `backend_failed`, 422 `invalid_rule` */
async function readFirstContacts(
  { organizationId, run }: BackendAccess,
  backend: ContentBackend,
  audience: Audience,
) {
  const { collection, source: filter } = audience;
  const fields = (await run((trx) => listContactFields(trx, organizationId, audience))).map(
    ({ name }) => name,
  );
  const query = {
    filter,
    sort: ['id'],
    limit: lookedAt,
    offset: 0,
    fields: fields.filter((name) => name !== 'id'),
  };
  const items = await backend.findItems(collection, query).catch(throwRuleProblem);
  return items.map((item) => ({ ...toStorableItem(item, query.fields), id: item['id'] as string }));
}

/** @returns those of the first matching contacts that would receive the email */
export async function sampleRemote(
  access: BackendAccess,
  audience: Audience,
  limit: number,
  opened?: ContentBackend,
) {
  const items = await readFirstContacts(access, opened ?? (await open(access, audience)), audience);
  return await access.run((trx) => sampleAudience(trx, access.organizationId, audience, limit, { items }));
}

const countLive = (backend: ContentBackend, { collection, source: filter }: Audience): Promise<number> =>
  backend.countItems(collection, { filter }).catch(throwRuleProblem);

/** Which contacts the rule leaves out for want of a value. The number of contacts does not depend on this hint. */
async function hintsOf(
  backend: ContentBackend,
  audience: Audience,
  live: PromiseSettledResult<number>,
): Promise<Pick<AudienceBreakdown, 'without_value'>> {
  if (live.status === 'rejected') return {};
  try {
    return toHints(await countWithoutValue(backend, audience, live.value));
  } catch (error) {
    if (error instanceof ORPCError) return {};
    throw error;
  }
}

/** Reports a rule that the backend rejects as an invalid rule. */
function throwRuleProblem(error: unknown): never {
  if (!(error instanceof ORPCError) || error.code !== 'invalid_query') throw error;
  const { reason } = error.data as { reason: string };
  throw apiError('invalid_rule', { path: 'rule', reason }, `rule: ${reason}`);
}

const isBackendFailure = (error: unknown): boolean =>
  error instanceof ORPCError && (error.code === 'backend_failed' || error.code === 'unavailable');

/** Exclusions are unknown until the contacts have been read, so all matches count as recipients. */
const upTo = (matched: number): AudienceBreakdown => toBreakdown([{ reason: null, count: matched }]);

/**
 * Describes an audience with remote contacts: the numbers of its last reading, and how many contacts match now. If the
 * backend is unavailable, the known numbers are still returned.
 * @param isToRead  starts another reading
 * @throws 422 `invalid_rule`; 424 `backend_failed` if nothing is known
 */
export async function describeRemote(
  access: BackendAccess,
  audience: Audience,
  limits: CountLimits,
  isToRead: boolean,
): Promise<AudienceCount> {
  const { organizationId, run } = access;
  const backend = await open(access, audience);
  // Sequential, so that a user's request holds one database connection at a time.
  const [live] = await Promise.allSettled([countLive(backend, audience)]);
  const [sample] = await Promise.allSettled([
    live.status === 'fulfilled'
      ? sampleRemote(access, audience, limits.sample, backend)
      : Promise.reject(live.reason),
  ]);
  const hints = await hintsOf(backend, audience, live);
  const failed = [live, sample].find((result) => result.status === 'rejected');
  if (failed !== undefined && !isBackendFailure(failed.reason)) throw failed.reason;
  return await run(async (trx) => {
    if (isToRead) await readForNumbers(trx, organizationId, audience);
    const found = await findReading(trx, organizationId, audience);
    const reading = { ...found.reading, live_count: live.status === 'fulfilled' ? live.value : null };
    if (found.readingId !== undefined) {
      const { readingId } = found;
      const described = await describeAudience(trx, organizationId, audience, limits, { readingId });
      return {
        ...described,
        ...hints,
        sample: sample.status === 'fulfilled' ? sample.value : described.sample,
        reading,
      };
    }
    if (failed !== undefined && !isToRead) throw failed.reason;
    return {
      ...upTo(reading.live_count ?? 0),
      ...hints,
      brands: [],
      brands_more: 0,
      sample: sample.status === 'fulfilled' ? sample.value : [],
      reading,
    };
  });
}

export interface CountedRemote {
  breakdown: AudienceBreakdown;
  reading: AudienceReading;
  /** Undefined until the contacts have been read. */
  notMeasured: number | undefined;
  /** Number of contacts for which each condition holds; undefined until the contacts have been read. */
  passed: number[] | undefined;
}

/** Counts an email's audience of remote contacts. @throws 422 `invalid_rule`; 424 `backend_failed` if nothing is known */
export async function countRemote(
  access: BackendAccess,
  audience: Audience,
  tests: readonly ContactTest[],
): Promise<CountedRemote> {
  const { organizationId, run } = access;
  const backend = await open(access, audience);
  const [live] = await Promise.allSettled([countLive(backend, audience)]);
  const hints = await hintsOf(backend, audience, live);
  return await run(async (trx) => {
    const { readingId, reading: found } = await findReading(trx, organizationId, audience);
    const reading = { ...found, live_count: live.status === 'fulfilled' ? live.value : null };
    if (readingId === undefined) {
      if (live.status === 'rejected') throw live.reason;
      return {
        breakdown: { ...upTo(live.value), ...hints },
        reading,
        notMeasured: undefined,
        passed: undefined,
      };
    }
    if (live.status === 'rejected' && !isBackendFailure(live.reason)) throw live.reason;
    const counted = await countAudience(trx, organizationId, audience, tests, { readingId });
    return { ...counted, breakdown: { ...counted.breakdown, ...hints }, reading };
  });
}

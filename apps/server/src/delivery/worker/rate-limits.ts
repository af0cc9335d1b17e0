import type { RecipientGroup } from '@reachout/contract/statuses.ts';
import { sendError, type SendError } from '@reachout/contract/rules/send-errors.ts';
import type { SendRates } from '../../platform/config.ts';
import type { Database } from '../../platform/database/database.ts';
import { leaseRateSlice } from '../../queue/rates.queries.ts';
import { leaseWarmUp, releaseWarmUp } from '../../queue/warm-up.queries.ts';
import type { ActiveSend } from './active-send.ts';
import { providerNames } from './provider-names.ts';
import type { RateBucketOptions } from './rate-bucket.ts';

/** The messages for this time are leased at once. */
const sliceOfMs = 1_000;
/** Daily limits are leased in smaller parts, because the part that a worker holds when it dies is lost for that day. */
const warmUpSlice = 20;
/** Maximum time until a worker notices that the operator changed a plan whose limit was reached. */
const maxWarmUpWaitMs = 5 * 60_000;

export type RateKind = 'installation' | 'organization' | 'sender_domain' | RecipientGroup;

/** A limit that the operator has set, and how its messages are leased. */
export interface RateLimit {
  /** The same for all messages that share the limit in this worker. */
  id: string;
  kind: RateKind;
  bucket: () => Pick<RateBucketOptions, 'slice' | 'lease' | 'release'>;
}

/** @returns the limits for the messages of a send to a recipient group */
export function limitsOf(
  db: Database,
  rates: SendRates,
  { ref, ownRate, warmUpDomain }: ActiveSend,
  group: RecipientGroup,
): RateLimit[] {
  const ofGroup = rates[group];
  const ofOrganization = ownRate ?? rates.organization;
  const limits: RateLimit[] = [];
  if (rates.all !== undefined) {
    const error = sendError('rate_of_installation', { perMinute: rates.all });
    limits.push(perMinute(db, 'installation', 'all', rates.all, error));
  }
  if (ofGroup !== undefined)
    limits.push(perMinute(db, group, `group ${group}`, ofGroup, groupLimitReached(group, ofGroup)));
  if (ofOrganization !== undefined) {
    const error = sendError('rate_of_organization', { perMinute: ofOrganization });
    limits.push(perMinute(db, 'organization', `organization ${ref.organizationId}`, ofOrganization, error));
  }
  if (warmUpDomain !== undefined) limits.push(warmUp(db, warmUpDomain));
  return limits;
}

const groupLimitReached = (group: RecipientGroup, rate: number): SendError =>
  group === 'other'
    ? sendError('rate_of_other_providers', { perMinute: rate })
    : sendError('rate_of_provider', { perMinute: rate, provider: providerNames[group] });

/** @param key  key of its row in `send_rates` @param error  shown when the limit is reached */
function perMinute(db: Database, kind: RateKind, key: string, rate: number, error: SendError): RateLimit {
  const bucket = () => {
    const slice = Math.max(1, Math.floor((rate * sliceOfMs) / 60_000));
    const lease = async () => {
      const { isGranted, waitMs } = await leaseRateSlice(db, key, (slice * 60_000) / rate);
      return { granted: isGranted ? slice : 0, waitMs, validMs: Infinity, error };
    };
    return { slice, lease };
  };
  // Sends of one organization may have begun with different rates: each rate has its own tokens, leased from one row.
  return { id: `${key} ${rate}`, kind, bucket };
}

function warmUp(db: Database, domain: string): RateLimit {
  const bucket = () => {
    let day = '';
    const lease = async () => {
      const { granted, limit, leftMs, ...leased } = await leaseWarmUp(db, domain, warmUpSlice);
      ({ day } = leased);
      const error = sendError('warm_up_of_domain', { domain, limit });
      return { granted, waitMs: Math.min(leftMs, maxWarmUpWaitMs), validMs: leftMs, error };
    };
    const release = (count: number) => releaseWarmUp(db, domain, day, count);
    return { slice: warmUpSlice, lease, release };
  };
  return { id: `domain ${domain}`, kind: 'sender_domain', bucket };
}

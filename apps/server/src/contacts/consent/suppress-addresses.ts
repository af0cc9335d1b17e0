import { failureLimits, isFailureClass } from '@reachout/contract/rules/choices.ts';
import { rejectionPauses } from '@reachout/contract/rules/send-errors.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { type Step, statement } from '../../platform/database/pipelined.ts';
import { deleteBounced, enterChoices, listOptOuts } from './choices.queries.ts';

/** The address of a message that bounced. */
export interface BouncedAddress {
  id: string;
  seq: number;
  addressKey: string;
  /** Of its rejection: `address_hard` suppresses at once, some only when they come again. */
  class: string;
}

/** Whether a bounce of this class says something about its address. */
export const isAboutAddress = (bounceClass: string): boolean =>
  bounceClass === 'address_hard' || isFailureClass(bounceClass);

/**
 * Suppresses all further email of the organization to addresses that do not exist, and to those at which several sends have failed
 * (`failureLimits`), in the transaction that stores their bounces. The transaction has locked the send, so that it is not paused
 * meanwhile: a send that paused itself because the mail server rejects everybody suppresses nobody, and lifts what it had suppressed
 * (`liftBounced`).
 * @param options.isLate  of reports, which are judged before: they suppress while the send is paused, too
 */
export const suppressBounced = (
  organizationId: string,
  sendId: string,
  addresses: readonly BouncedAddress[],
  { isLate = false } = {},
): Step => ({ ...insertBounced, values: [organizationId, sendId, JSON.stringify(addresses), isLate] });

const limits = Object.entries(failureLimits)
  .map(
    ([name, { sends, withinDays, overDays }]) =>
      `('${name}', ${sends}, interval '${withinDays} days', interval '${overDays} days')`,
  )
  .join(', ');

// All transactions insert in the same order, so that two with the same addresses wait instead of deadlocking: suppressions, then
// failures. Failures of other sends count until they expire or a
// bounce of the address is lifted; those of this one are not visible here yet.
const insertBounced = statement('suppress_bounced')`
  with bounced as materialized (
    select b.*, l.sends, l.lasts, l.spread
    from json_to_recordset($3::json) as b(id uuid, seq int, "addressKey" text, class text)
    left join (values ${limits}) l (class, sends, lasts, spread) on l.class = b.class
    where exists (select from delivery_results r
      where r.organization_id = $1 and r.send_id = $2 and r.seq = b.seq and r.state = 'bounced')
      and ($4::boolean or not exists (select from touchpoint_sends s
        where s.organization_id = $1 and s.id = $2 and s.status = 'paused'
          and s.error ->> 'code' = any('{${rejectionPauses.join(',')}}')))
  ), failed as (
    insert into choices (organization_id, address_key, kind, value, until, send_id, seq)
    select $1::uuid, "addressKey", 'failure', class, now() + lasts, $2::uuid, seq
    from bounced
    where sends is not null
    order by "addressKey"
    on conflict do nothing
  )
  insert into choices (id, organization_id, address_key, kind, value, send_id, seq)
  select b.id, $1::uuid, b."addressKey", 'suppression', 'bounce', $2::uuid, b.seq
  from bounced b
  where b.sends is null or (
    select count(*) + 1 >= b.sends and coalesce(min(c.changed_at), now()) <= now() - b.spread
    from choices c
    where c.organization_id = $1 and c.address_key = b."addressKey" and c.kind = 'failure' and c.value = b.class
      and c.until > now() and c.send_id <> $2 and c.changed_at > all(array(
        select r.created_at from resubscriptions r
        where r.organization_id = $1 and r.address_key = c.address_key and r.reason = 'bounce')))
  order by b."addressKey"
  on conflict do nothing`;

/** Suppresses addresses of messages that their recipients marked as unwanted, for all brands. @param seqs  of the messages by address */
export const suppressComplained = (
  trx: Transaction,
  { organizationId, sendId }: { organizationId: string; sendId: string },
  seqs: ReadonlyMap<string, number>,
) =>
  enterChoices(
    trx,
    organizationId,
    [...seqs].map(([address_key, seq]) => ({
      address_key,
      brand_id: null,
      kind: 'suppression',
      value: 'complaint',
      send_id: sendId,
      seq,
    })),
  );

/** Suppresses addresses for all brands to which a provider no longer sends for the organization. */
export const suppressElsewhere = (
  trx: Transaction,
  organizationId: string,
  suppressed: readonly { address: string; kind: 'bounce' | 'complaint' | 'unsubscribe'; at: Date }[],
) => {
  const byAddress = new Map(suppressed.map((one) => [one.address, one]));
  return enterChoices(
    trx,
    organizationId,
    [...byAddress.values()].map(({ address, kind, at }) => ({
      address_key: address,
      brand_id: null,
      kind: 'suppression',
      value: kind,
      note: 'Of the provider of a transport.',
      occurred_at: at.toISOString(),
    })),
  );
};

/** @returns addresses that unsubscribed from all brands, the latest first; bounded */
export const listOptOutsSince = (
  trx: Transaction,
  organizationId: string,
  since: Date | undefined,
): Promise<string[]> => listOptOuts(trx, organizationId, since?.toISOString() ?? null);

/**
 * Lifts suppressions because of bounces of a send, and forgets its failures, when its bounces turn out to say nothing about the
 * addresses.
 * @param those  only those of the last milliseconds, or of these messages; undefined: all
 */
export const liftBounced = (
  trx: Transaction,
  sendId: string,
  those: { recentMs: number } | { from: number; to: number } | undefined,
): Promise<void> => deleteBounced(trx, sendId, those);

import { rejectionPauses } from '@reachout/contract/rules/send-errors.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { PreparedStatement, Step } from '../../platform/database/pipelined.ts';
import { deleteBounced } from './choices.queries.ts';

/** A delivery's address that does not exist. */
export interface BouncedAddress {
  id: string;
  seq: number;
  addressKey: string;
}

/**
 * Suppresses all further email of the organization to the addresses, in the transaction that stores their bounces. The
 * transaction has locked the send, so that it is not paused meanwhile: a send that paused itself because the mail server
 * rejects everybody suppresses nobody, and lifts what it had suppressed (`liftBounced`).
 */
export const suppressBounced = (
  organizationId: string,
  sendId: string,
  addresses: readonly BouncedAddress[],
): Step => ({ ...insertBounced, values: [organizationId, sendId, JSON.stringify(addresses)] });

// All transactions insert in the same order, so that two with the same addresses wait instead of deadlocking.
const insertBounced: PreparedStatement = {
  name: 'suppress_bounced',
  text: `
    insert into choices (id, organization_id, address_key, kind, value, send_id, seq)
    select id, $1::uuid, "addressKey", 'suppression', 'bounce', $2::uuid, seq
    from json_to_recordset($3::json) as b(id uuid, seq int, "addressKey" text)
    where exists (select from delivery_results r
      where r.organization_id = $1 and r.send_id = $2 and r.seq = b.seq and r.state = 'bounced')
      and not exists (select from touchpoint_sends s
        where s.organization_id = $1 and s.id = $2 and s.status = 'paused'
          and s.error ->> 'code' = any('{${rejectionPauses.join(',')}}'))
    order by "addressKey"
    on conflict do nothing`,
};

/**
 * Lifts suppressions because of bounces of a send, when its bounces turn out to say nothing about the addresses.
 * @param recentMs  only those of the last milliseconds; undefined: all
 */
export const liftBounced = (trx: Transaction, sendId: string, recentMs: number | undefined): Promise<void> =>
  deleteBounced(trx, sendId, recentMs);

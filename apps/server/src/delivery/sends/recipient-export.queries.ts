import { sql } from 'kysely';
import { rowsOf, type Transaction } from '../../platform/database/database.ts';

/** When a message was accepted, and the first actions that were not by bots; null if that did not happen. */
export interface RecipientTimes {
  seq: number;
  accepted_at: string | null;
  /** Whether opens and clicks are measured; null if the message was not accepted. */
  is_measured: boolean | null;
  first_opened_at: string | null;
  first_clicked_at: string | null;
  unsubscribed_at: string | null;
  complained_at: string | null;
}

/** @param seqs  consecutive, at least one @returns the times; deliveries without any are left out */
export async function listRecipientTimes(
  trx: Transaction,
  sendId: string,
  seqs: readonly number[],
): Promise<RecipientTimes[]> {
  const inPage = sql`organization_id = current_organization_id() and send_id = ${sendId}::uuid
    and seq between ${seqs[0]}::int and ${seqs.at(-1)}::int`;
  return await rowsOf<RecipientTimes>(trx)`
    select seq,
      min(at) filter (where type = 'SEND_EMAIL') as accepted_at,
      bool_and(tracked) filter (where type = 'SEND_EMAIL' and at is not null) as is_measured,
      min(at) filter (where type = 'OPEN_EMAIL') as first_opened_at,
      min(at) filter (where type = 'CLICK') as first_clicked_at,
      min(at) filter (where type = 'UNSUBSCRIBE') as unsubscribed_at,
      min(at) filter (where type = 'COMPLAINT') as complained_at
    from (
      select seq, 'SEND_EMAIL' as type, accepted_at as at, tracked from delivery_results where ${inPage}
      union all
      select seq, type, first_human_at, null from delivery_event_counts
      where ${inPage} and type in ('OPEN_EMAIL', 'CLICK', 'UNSUBSCRIBE', 'COMPLAINT') and link_no = -1
    ) known
    group by seq
  `;
}

import { liveSendKinds } from '@reachout/contract/states/send.ts';
import type { Transaction } from '../../platform/database/database.ts';

/** Finds the latest campaign or triggered send of an email; it may not have started yet. */
export async function findLastLiveSend(trx: Transaction, touchpointId: string): Promise<string | undefined> {
  const row = await trx
    .selectFrom('touchpoint_sends')
    .select('id')
    .where('touchpoint_id', '=', touchpointId)
    .where('kind', 'in', [...liveSendKinds])
    .orderBy('send_date', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

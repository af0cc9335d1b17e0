import type { Transaction } from '../../platform/database/database.ts';
import { channels } from '../channels/channels.ts';
import { createTouchpoint } from './create-touchpoint.ts';
import { getTouchpoint } from './touchpoint.queries.ts';
import type { TouchpointRow } from './touchpoint.ts';

/**
 * Creates a draft with the content of a touchpoint, without its sends, results and status.
 * @param campaign_id  of the copy; undefined for the same campaign
 * @throws 404; 409 `campaign_archived`; 422 `invalid_input` for a campaign that does not exist here, or is deleted
 */
export async function duplicateTouchpoint(
  trx: Transaction,
  id: string,
  { name, campaign_id }: { name: string; campaign_id?: string | undefined },
): Promise<TouchpointRow> {
  const original = await getTouchpoint(trx, id);
  const { type } = original;
  const copy = await createTouchpoint(trx, {
    campaign_id: campaign_id ?? original.campaign_id,
    name,
    type,
  });
  await channels[type].copy(trx, original, copy);
  return await getTouchpoint(trx, copy.id);
}

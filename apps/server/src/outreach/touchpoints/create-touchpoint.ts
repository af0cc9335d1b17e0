import type { TouchpointType } from '@reachout/contract/states/touchpoint.ts';
import { assertTakesTouchpoints, touchCampaign } from '../campaigns/campaign-status.ts';
import { invalidInput } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { channels } from '../channels/channels.ts';
import type { TouchpointRow } from './touchpoint.ts';
import { getTouchpoint, insertTouchpoint } from './touchpoint.queries.ts';

/** @throws 409 `campaign_archived`; 422 `invalid_input` for a campaign that does not exist here, or is deleted */
export async function createTouchpoint(
  trx: Transaction,
  { campaign_id, name, type }: { campaign_id: string; name: string; type: TouchpointType },
): Promise<TouchpointRow> {
  const id = newId();
  if (!(await insertTouchpoint(trx, { id, campaign_id, name, type }))) {
    throw invalidInput('campaign_id', 'There is no such campaign.');
  }
  await assertTakesTouchpoints(trx, campaign_id);
  const touchpoint = await getTouchpoint(trx, id);
  await channels[type].create(trx, touchpoint);
  await touchCampaign(trx, campaign_id);
  return touchpoint;
}

import type { TouchpointType } from '@reachout/contract/statuses.ts';
import { touchCampaign } from '../campaigns/campaign-status.ts';
import { invalidInput } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { defaultSenderName, type TouchpointRow } from './touchpoint.ts';
import { insertTouchpointEmail } from '../channels/email/touchpoint-email.queries.ts';
import { getTouchpoint, insertTouchpoint } from './touchpoint.queries.ts';

/** @throws 422 `invalid_input` for a campaign that does not exist here, or is deleted */
export async function createTouchpoint(
  trx: Transaction,
  { campaign_id, name, type }: { campaign_id: string; name: string; type: TouchpointType },
): Promise<TouchpointRow> {
  const id = newId();
  if (!(await insertTouchpoint(trx, { id, campaign_id, name, type }))) {
    throw invalidInput('campaign_id', 'There is no such campaign.');
  }
  const touchpoint = await getTouchpoint(trx, id);
  if (type === 'email') {
    await insertTouchpointEmail(trx, {
      id: newId(),
      organization_id: touchpoint.organization_id,
      touchpoint_id: id,
      from_name: defaultSenderName(touchpoint.brand_name),
    });
  }
  await touchCampaign(trx, campaign_id);
  return touchpoint;
}

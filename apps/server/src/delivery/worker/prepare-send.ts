import { sendCan } from '@reachout/contract/states/send.ts';
import { snapshotAudience } from '../queue/audience-snapshot.ts';
import { createEmailRenderer } from '../../email/mime/email-renderer.ts';
import { formatListId } from '../../email/mime/headers.ts';
import type { TokenSigner } from '../../email/links/tokens.ts';
import { allowLongStatements, inOrganization, type Database } from '../../platform/database/database.ts';
import { chunkSize } from '../queue/delivery.ts';
import type { ActiveSend } from './lease.ts';
import type { SendKey } from '../queue/delivery.queries.ts';
import { setSendStatus } from '../sends/send-status.ts';
import { getSendContent, lockSend, tryLockSend } from '../queue/send.queries.ts';

/**
 * Writes the audience of a due send down, in one transaction: after a crash it has happened whole or not at all.
 * @returns true once the send is sending
 */
export async function prepareSend(db: Database, { organizationId, sendId }: SendKey): Promise<boolean> {
  const isClaimed = await inOrganization(db, organizationId, async (trx) => {
    const send = await tryLockSend(trx, sendId);
    if (send === undefined || !sendCan.prepare(send)) return false;
    if (send.status !== 'preparing') await setSendStatus(trx, send, 'preparing');
    return true;
  });
  if (!isClaimed) return false;

  return await inOrganization(db, organizationId, async (trx) => {
    const send = await tryLockSend(trx, sendId);
    if (send === undefined || !sendCan.prepare(send)) return false;
    await allowLongStatements(trx);
    const { content, audience } = await getSendContent(trx, sendId);
    const audience_breakdown = await snapshotAudience(trx, organizationId, audience, {
      sendId,
      contactFields: content.contact_fields,
      chunkSize,
    });
    const recipients_total_count = audience_breakdown.will_receive;
    if (recipients_total_count > 0) {
      await setSendStatus(trx, send, 'sending', { audience_breakdown, recipients_total_count });
      return true;
    }
    await setSendStatus(trx, send, 'failed', {
      audience_breakdown,
      error_content: 'Nobody was left in the audience when the send started.',
    });
    return false;
  });
}

export interface LoadOptions {
  publicUrl: string;
  signer: TokenSigner;
  /** Host that takes returned mail; undefined where none is set up. */
  bounceDomain: string | undefined;
}

/** @returns undefined when the send is not sending any more */
export async function loadActiveSend(
  db: Database,
  { publicUrl, signer, bounceDomain }: LoadOptions,
  ref: SendKey,
): Promise<ActiveSend | undefined> {
  return await inOrganization(db, ref.organizationId, async (trx) => {
    const send = await lockSend(trx, ref.sendId);
    if (!sendCan.deliver(send)) return undefined;
    const { content } = await getSendContent(trx, ref.sendId);
    const brand = content.context['brand'] as { id: string; name: string };
    const fromDomain = content.from_email.slice(content.from_email.lastIndexOf('@') + 1);
    const renderer = createEmailRenderer(content, {
      publicUrl,
      signer,
      sendNumber: send.send_number,
      ...(bounceDomain === undefined ? {} : { bounceDomain }),
      headers: {
        // Campaign, organization, channel, sender: nothing about a person.
        feedbackId: `${send.send_number}:${ref.organizationId.slice(-12)}:email:reachout`,
        listId: formatListId(brand.name, `${brand.id}.${fromDomain}`),
      },
    });
    return {
      ref,
      touchpointId: send.touchpoint_id,
      renderer,
      startedAt: new Date(send.send_date),
      uncertainPolicy: send.uncertain_policy,
      senderRejections: 0,
      renderFailures: 0,
      isPausing: false,
      slowness: 0,
    };
  });
}

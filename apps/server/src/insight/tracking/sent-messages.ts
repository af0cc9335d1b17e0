import { createSendLookup } from '../../identity/access/send-lookup.ts';
import type { SendRef } from '../../identity/access/send-ref.ts';
import { createShownMessages, type ShownMessages } from '../../email/mime/show-message.ts';
import type { DeliveryRef, TokenPurpose, TokenSigner } from '../../email/links/tokens.ts';
import { createCache } from '../../platform/cache.ts';
import { inOrganization, type Database } from '../../platform/database/database.ts';
import {
  findDelivery,
  findSentContent,
  type DeliveryRow,
  type SentContent,
} from './sent-messages.queries.ts';

/** The message that a token refers to. */
export interface SentMessage extends DeliveryRef, SendRef {}

export interface LinkDestination {
  /** In WHATWG form. */
  address: string;
  /** Whether its author wants it left as it is. */
  asWritten: boolean;
}

export interface SentMessages {
  /** Undefined unless the token was signed for this purpose and its send exists. */
  find(purpose: TokenPurpose, token: string): Promise<SentMessage | undefined>;
  /**
   * @returns the destination of a link as stored with the send; undefined if the message has no such link. Plain links
   *   are cached in memory; personalized links need the recipient's row.
   */
  findDestination(message: SentMessage, linkNo: number): Promise<LinkDestination | undefined>;
  findDelivery(message: SentMessage): Promise<DeliveryRow | undefined>;
  /** The HTML of one message with plain destinations and without pixel. @throws TemplateTaskError */
  renderHtml(message: SentMessage): Promise<string | undefined>;
}

export interface SentMessagesDeps {
  db: Database;
  signer: TokenSigner;
  publicUrl: string;
}

export function createSentMessages({ db, signer, publicUrl }: SentMessagesDeps): SentMessages {
  const sendLookup = createSendLookup(db);

  const shown = createCache(16, async (sendNumber: number): Promise<ShownMessages | undefined> => {
    const sent = await loadSnapshot(sendNumber);
    return (
      sent &&
      createShownMessages(sent.content, {
        // Its readers stay at the host that the message was sent with.
        publicUrl: sent.public_url ?? publicUrl,
        signer,
        owner: sent.organizationId,
      })
    );
  });

  /** Destinations by link number; their address is null if it depends on the recipient. */
  const destinations = createCache(1_000, async (sendNumber: number) => {
    const [sent, messages] = await Promise.all([loadSnapshot(sendNumber), shown(sendNumber)]);
    if (sent === undefined || messages === undefined) return undefined;
    return await Promise.all(
      sent.content.links.map(async ({ personal, as_written }, linkNo) => ({
        address: personal ? null : await messages.findTarget({}, linkNo),
        asWritten: as_written === true,
      })),
    );
  });

  async function loadSnapshot(
    sendNumber: number,
  ): Promise<(SentContent & { organizationId: string }) | undefined> {
    const send = await sendLookup.find(sendNumber);
    if (send === undefined) return undefined;
    const { organizationId, sendId } = send;
    const sent = await inOrganization(db, organizationId, (trx) =>
      findSentContent(trx, organizationId, sendId),
    );
    return sent && { organizationId, ...sent };
  }

  const loadDelivery = ({ organizationId, sendId, seq }: SentMessage) =>
    inOrganization(db, organizationId, (trx) => findDelivery(trx, organizationId, sendId, seq));

  async function findPersonal(message: SentMessage, linkNo: number): Promise<string | undefined> {
    const [messages, delivery] = await Promise.all([shown(message.sendNumber), loadDelivery(message)]);
    return delivery && (await messages?.findTarget(delivery.variables, linkNo));
  }

  return {
    find: async (purpose, token) => {
      const ref = signer.verify(purpose, token);
      if (ref === undefined) return undefined;
      const send = await sendLookup.find(ref.sendNumber);
      return send && { ...ref, ...send };
    },
    findDestination: async (message, linkNo) => {
      const link = (await destinations(message.sendNumber))?.[linkNo];
      if (link === undefined) return undefined;
      const address = link.address === null ? await findPersonal(message, linkNo) : link.address;
      return address === undefined ? undefined : { ...link, address };
    },
    findDelivery: loadDelivery,
    renderHtml: async (message) => {
      const [messages, delivery] = await Promise.all([shown(message.sendNumber), loadDelivery(message)]);
      return delivery && (await messages?.renderPage(message, delivery.variables));
    },
  };
}

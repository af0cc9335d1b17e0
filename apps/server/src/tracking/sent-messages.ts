import { createSendDirectory } from '../access/send-directory.ts';
import type { SendPlace } from '../access/send-place.ts';
import type { FrozenEmail } from '../mail/email-content.ts';
import { createEmailRenderer, type EmailRenderer } from '../mail/email-renderer.ts';
import type { DeliveryRef, TokenPurpose, TokenSigner } from '../mail/tokens.ts';
import { createCache } from '../platform/cache.ts';
import { inOrganization, type Database } from '../platform/database/database.ts';
import { findDelivery, findFrozenEmail, type DeliveryRow } from './sent-messages.queries.ts';

/** The message that a token names. */
export interface SentMessage extends DeliveryRef, SendPlace {}

export interface SentMessages {
  /** Undefined unless the token was signed for this purpose and its send exists. */
  find(purpose: TokenPurpose, token: string): Promise<SentMessage | undefined>;
  /**
   * Where a link leads, as it was fixed when the send started; undefined when the message has no such link. Plain
   * links come from memory, those that hold data of the recipient need the recipient's row.
   */
  findDestination(message: SentMessage, linkNo: number): Promise<string | undefined>;
  findDelivery(message: SentMessage): Promise<DeliveryRow | undefined>;
  /** The HTML of one message with plain destinations and without pixel. @throws RenderError */
  renderHtml(message: SentMessage): Promise<string | undefined>;
}

export interface SentMessagesDeps {
  db: Database;
  signer: TokenSigner;
  publicUrl: string;
}

export function createSentMessages({ db, signer, publicUrl }: SentMessagesDeps): SentMessages {
  const directory = createSendDirectory(db);

  const toRenderer = (sendNumber: number, frozen: FrozenEmail) =>
    createEmailRenderer(frozen, {
      publicUrl,
      signer,
      sendNumber,
      // Nothing is sent from here.
      headers: { feedbackId: 'none', listId: '<none>' },
    });

  // A renderer holds parsed templates and a quarter of a megabyte to write into: only a few are kept.
  const renderer = createCache(16, async (sendNumber: number): Promise<EmailRenderer | undefined> => {
    const frozen = await loadFrozen(sendNumber);
    return frozen && toRenderer(sendNumber, frozen);
  });

  /** By link number: the destination, or null where it depends on the recipient. */
  const destinations = createCache(1_000, async (sendNumber: number) => {
    const [frozen, links] = await Promise.all([loadFrozen(sendNumber), renderer(sendNumber)]);
    return frozen?.links.map((link, linkNo) => (link.personal ? null : links?.linkTarget({}, linkNo)));
  });

  async function loadFrozen(sendNumber: number): Promise<FrozenEmail | undefined> {
    const place = await directory.find(sendNumber);
    if (place === undefined) return undefined;
    const { organizationId, sendId } = place;
    return await inOrganization(db, organizationId, (trx) => findFrozenEmail(trx, organizationId, sendId));
  }

  const loadDelivery = ({ organizationId, sendId, seq }: SentMessage) =>
    inOrganization(db, organizationId, (trx) => findDelivery(trx, organizationId, sendId, seq));

  return {
    find: async (purpose, token) => {
      const ref = signer.verify(purpose, token);
      if (ref === undefined) return undefined;
      const place = await directory.find(ref.sendNumber);
      return place && { ...ref, ...place };
    },
    findDestination: async (message, linkNo) => {
      const destination = (await destinations(message.sendNumber))?.[linkNo];
      if (destination !== null) return destination;
      const [links, delivery] = await Promise.all([renderer(message.sendNumber), loadDelivery(message)]);
      return delivery && links?.linkTarget(delivery.variables, linkNo);
    },
    findDelivery: loadDelivery,
    renderHtml: async (message) => {
      const [html, delivery] = await Promise.all([renderer(message.sendNumber), loadDelivery(message)]);
      if (html === undefined || delivery === undefined) return undefined;
      return html.renderHtml({
        seq: message.seq,
        contactId: delivery.contact_id,
        address: delivery.address,
        variables: delivery.variables,
      });
    },
  };
}

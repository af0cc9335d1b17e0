import { isSigned } from '../../email/links/destination.ts';
import type { TokenSigner } from '../../email/links/tokens.ts';
import { createTrackedHosts } from '../../outreach/channels/website/website-settings.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { SentMessage, SentMessages } from './sent-messages.ts';

/** Parameter of an address that the tracking client reads, and sends with its events. */
const parameter = 'ctm_aid';

/** Finds the message of this organization that a token was signed for; undefined for any other value. */
export type FindMessage = (organizationId: string, token: string) => Promise<VisitedMessage | undefined>;

export type VisitedMessage = Pick<SentMessage, 'touchpointId' | 'sendId' | 'seq'>;

export interface VisitTokens {
  /**
   * @param destination  in WHATWG form
   * @returns the destination, with the visit token of the message if it is on a host of an active website of the same
   *   organization, and has no signature. Everything else of it stays as it is.
   */
  addTo(destination: string, message: SentMessage): Promise<string>;
  findMessage: FindMessage;
}

/** Tokens that tell a tracked website which message a visitor came from. docs/decisions/0122 */
export function createVisitTokens({
  db,
  signer,
  messages,
  log,
}: {
  db: Database;
  signer: TokenSigner;
  messages: SentMessages;
  log: Log;
}): VisitTokens {
  const isTracked = createTrackedHosts(db);
  return {
    addTo: async (destination, message) => {
      if (message.isTest || isSigned(destination)) return destination;
      try {
        if (!(await isTracked(message.organizationId, new URL(destination).host))) return destination;
      } catch (error) {
        // The reader gets to the page anyway.
        log.warn({ err: error }, 'websites of an organization could not be read');
        return destination;
      }
      return withParameter(destination, signer.signVisit(message));
    },
    findMessage: async (organizationId, token) => {
      const message = await messages.find('visit', token);
      if (message === undefined || message.organizationId !== organizationId || message.isTest)
        return undefined;
      const { touchpointId, sendId, seq } = message;
      return { touchpointId, sendId, seq };
    },
  };
}

/** Replaces the parameter in the query, and leaves all other bytes as they are. */
function withParameter(address: string, value: string): string {
  const [, path = '', query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(address)!;
  const others = (query ?? '').split('&').filter((part) => !new URLSearchParams(`&${part}`).has(parameter));
  const added = `${parameter}=${value}`;
  return `${path}?${others.join('&') === '' ? added : [...others, added].join('&')}${fragment}`;
}

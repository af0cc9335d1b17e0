import { operations } from '../../identity/access/operations.ts';
import { findMessage, listMessages } from './mailbox.queries.ts';
import { toMessage, type MessageDetail } from './message-detail.ts';

export const mailboxRoutes = {
  list: operations.mailbox.list.handler(async ({ input, context }) => {
    const { organizationId, transaction, can } = context;
    const { items, count } = await transaction((trx) => listMessages(trx, organizationId, input));
    if (can('send', 'Touchpoint')) return { items, count };
    return { items: items.map((item) => ({ ...item, sender: hideTokens(item.sender) })), count };
  }),

  get: operations.mailbox.get.handler(async ({ input, context }) => {
    const { organizationId, transaction, can } = context;
    const message = await toMessage(await transaction((trx) => findMessage(trx, organizationId, input.id)));
    return can('send', 'Touchpoint') ? message : withoutTokens(message);
  }),
};

/**
 * Matches tokens of `createTokenSigner` after the paths and address prefixes that contain them in a message. Also matches
 * paths encoded by the filter `url_encode`, for example in a link to share the message.
 */
const token =
  /((?:\/|%2f)(?:[upv]|t(?:\/|%2f)[co])(?:\/|%2f)|\bu\+|\bb\.)[\da-z]{1,11}-[\da-z]{1,6}-[\w-]{22,26}/gi;

/** Replaces the tokens in a text. The links stay recognizable but no longer work. */
const hideTokens = (text: string): string => text.replaceAll(token, '$1hidden');

/** Hides the tokens of a message from members who can read it but must not unsubscribe, open or click as its recipient. */
function withoutTokens<T extends MessageDetail & { sender: string }>(message: T): T {
  return {
    ...message,
    sender: hideTokens(message.sender),
    headers: message.headers.map(({ name, value }) => ({ name, value: hideTokens(value) })),
    html: message.html === null ? null : hideTokens(message.html),
    text: message.text === null ? null : hideTokens(message.text),
    links: message.links.map(({ text, url }) => ({ text: hideTokens(text), url: hideTokens(url) })),
    pixel_url: null,
  };
}

import type { MessageDetail } from './message-detail.ts';

/**
 * What `createTokenSigner` signs, behind the paths and addresses that hold it in a message; the paths also as the filter
 * `url_encode` writes them, in a link to share the message for instance.
 */
const token =
  /((?:\/|%2f)(?:[upv]|t(?:\/|%2f)[co])(?:\/|%2f)|\bu\+|\bb\.)[\da-z]{1,11}-[\da-z]{1,6}-[\w-]{22,26}/gi;

/** Its links still show where they lead, and do nothing. */
export const hideTokens = (text: string): string => text.replaceAll(token, '$1hidden');

/** The message for a member who may read it and not act as its recipient, who could unsubscribe, open or click. */
export function withoutTokens<T extends MessageDetail & { sender: string }>(message: T): T {
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

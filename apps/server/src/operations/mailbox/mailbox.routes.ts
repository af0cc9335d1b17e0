import { operations } from '../../identity/access/operations.ts';
import { transactionAs, type Database } from '../../platform/database/database.ts';
import { notFound } from '../../platform/http/api-error.ts';
import { findMessage, listMessages, findSystemMessage, listSystemMessages } from './mailbox.queries.ts';
import { cutText } from '@reachout/contract/rules/cut-text.ts';
import { Parser } from 'htmlparser2';

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
const withoutTokens = <T extends MessageDetail & { sender: string }>(message: T): T => ({
  ...message,
  sender: hideTokens(message.sender),
  headers: message.headers.map(({ name, value }) => ({ name, value: hideTokens(value) })),
  html: message.html === null ? null : hideTokens(message.html),
  text: message.text === null ? null : hideTokens(message.text),
  links: message.links.map(({ text, url }) => ({ text: hideTokens(text), url: hideTokens(url) })),
  pixel_url: null,
});

const requireKey = ({ hasMailboxKey }: { hasMailboxKey: boolean }): void => {
  if (!hasMailboxKey) throw notFound();
};

/**
 * The platform's own emails, including codes and links, for a user who tries the product on this machine without a mail
 * server and cannot receive them otherwise.
 */
export const createSystemMailboxRoutes = ({ authDb }: { authDb: Database }) => ({
  list: operations.systemMailbox.list.handler(async ({ input, context }) => {
    requireKey(context);
    return await transactionAs(authDb, {}, (trx) => listSystemMessages(trx, input));
  }),

  get: operations.systemMailbox.get.handler(async ({ input, context }) => {
    requireKey(context);
    return await toMessage(await transactionAs(authDb, {}, (trx) => findSystemMessage(trx, input.id)));
  }),
});

interface MessageDetail {
  headers: { name: string; value: string }[];
  /** Without the open pixel: showing a message here must not count as opening it. */
  html: string | null;
  text: string | null;
  links: { text: string; url: string }[];
  pixel_url: string | null;
}

/** Maximum length of a shown header value, in characters. */
const headerLimit = 4_000;

/** Converts a stored message to its form in the contract. @throws 404 if the message does not exist */
async function toMessage<T extends { raw: Buffer }>(message: T | undefined) {
  if (message === undefined) throw notFound();
  const { raw, ...row } = message;
  return { ...row, size_bytes: raw.length, ...(await parseMessage(raw)) };
}

/** Parses a message for display. Its content is untrusted and must be shown as text. */
export async function parseMessage(raw: Buffer): Promise<MessageDetail> {
  // Loaded lazily with the first shown message, because it includes many character sets.
  const { simpleParser } = await import('mailparser');
  const parsed = await simpleParser(raw, {
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    skipImageLinks: true,
  });
  const headers = parsed.headerLines.map(({ line }) => {
    const colon = line.indexOf(':');
    const value = line
      .slice(colon + 1)
      .replaceAll(/\r?\n(?=[ \t])/g, '')
      .trim();
    return { name: line.slice(0, colon), value: cutText(value, headerLimit) };
  });
  const html = parsed.html === false ? undefined : parsed.html;
  const { links, pixels } = html === undefined ? { links: [], pixels: [] } : readHtml(html);
  return {
    headers,
    html: html === undefined ? null : withoutPixels(html, pixels),
    text: parsed.text ?? null,
    links,
    pixel_url: pixels[0]?.url ?? null,
  };
}

interface Pixel {
  url: string;
  /** Where its tag starts and ends (exclusive) in the HTML. */
  start: number;
  end: number;
}

function readHtml(html: string): { links: { text: string; url: string }[]; pixels: Pixel[] } {
  const links: { text: string; url: string }[] = [];
  const pixels: Pixel[] = [];
  let open: { text: string; url: string } | undefined;
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (name === 'a' && attributes['href'] !== undefined) {
        open = { text: '', url: attributes['href'] };
        links.push(open);
      }
      if (name !== 'img') return;
      if (open !== undefined) open.text += ` ${attributes['alt'] ?? ''} `;
      const url = attributes['src'] ?? '';
      if (/\/t\/o\/[\w-]+$/.test(url))
        pixels.push({ url, start: parser.startIndex, end: parser.endIndex + 1 });
    },
    ontext: (text) => {
      if (open !== undefined) open.text += text;
    },
    onclosetag: (name) => {
      if (name === 'a') open = undefined;
    },
  });
  parser.end(html);
  return {
    links: links
      .filter(({ url }) => /^(?:https?|mailto):/i.test(url))
      .map(({ text, url }) => ({ text: text.replaceAll(/\s+/g, ' ').trim(), url })),
    pixels,
  };
}

/** Removes all pixels in one pass, because a message may contain thousands. */
const withoutPixels = (html: string, pixels: Pixel[]): string =>
  [0, ...pixels.map(({ end }) => end)].map((from, index) => html.slice(from, pixels[index]?.start)).join('');

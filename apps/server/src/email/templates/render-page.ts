import { Context } from 'liquidjs';
import type { EmailSnapshot } from '../email-content.ts';
import { createLinkTargets, nowhere } from '../links/link-targets.ts';
import { createLiquidEngine } from '../liquid/liquid-engine.ts';
import { renderNodes } from '../liquid/template-part.ts';

/** The signed URLs on the page of a message; the template process that renders it has no signing key. */
export interface MessageLinks {
  unsubscribe: string;
  preferences: string;
  view_in_browser: string;
}

/** In milliseconds; the process has 2 s in total. */
const renderLimitMs = 1_500;

/** @returns where the links of a message lead, by their names in the snapshot */
export function findPlainLinks(
  snapshot: Pick<EmailSnapshot, 'links' | 'context'>,
  contact: Record<string, unknown>,
): { html: Record<string, string>; text: Record<string, string> } {
  const targets = createLinkTargets(snapshot);
  const addresses = snapshot.links.map((_, linkNo) => targets.find(contact, linkNo)?.address);
  const named = (missing: string) =>
    Object.fromEntries(addresses.map((address, linkNo) => [`click_${linkNo}`, address ?? missing]));
  return { html: named(nowhere), text: named('') };
}

/** Renders the page behind "view in browser", with plain destinations and no pixel. @throws RenderError */
export function renderPage(
  snapshot: EmailSnapshot,
  contact: Record<string, unknown>,
  messageLinks: MessageLinks,
): string {
  const links = { ...messageLinks, ...findPlainLinks(snapshot, contact).html };
  return renderHtml(snapshot, contact, links);
}

/** @returns the page without the links to `address`, such as the one to the page itself */
export function withoutLinksTo(html: string, address: string): string {
  const [first = '', ...rest] = html.split(`href="${address}"`);
  return rest.reduce((before, after) => {
    const start = before.lastIndexOf('<a ');
    const end = after.indexOf('</a>');
    const isLink = start >= 0 && end >= 0 && !before.slice(start).includes('>');
    return isLink
      ? before.slice(0, start) + after.slice(end + '</a>'.length)
      : `${before}href="${address}"${after}`;
  }, first);
}

/** @param links  the addresses of the links, by their name in the snapshot @throws RenderError */
export function renderHtml(
  snapshot: EmailSnapshot,
  contact: Record<string, unknown>,
  links: Record<string, string>,
): string {
  const engine = createLiquidEngine('html', renderLimitMs);
  const scope = Object.assign(Object.create(null) as Record<string, unknown>, snapshot.context, {
    contact,
    links,
  });
  const context = new Context(scope, engine.liquid.options, { sync: true });
  return renderNodes(engine, engine.parse(snapshot.html), context);
}

/** Placeholders for the signed URLs of a message that is only displayed. */
export const nowhereLinks = {
  unsubscribe: 'about:blank#unsubscribe',
  preferences: 'about:blank#preferences',
  view_in_browser: 'about:blank#view_in_browser',
} as const satisfies MessageLinks;

import { Context } from 'liquidjs';
import type { EmailSnapshot } from '../email-content.ts';
import { createLinkTargets } from '../links/link-targets.ts';
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

/** Renders the page behind "view in browser", with plain destinations and no pixel. @throws RenderError */
export function renderPage(
  snapshot: EmailSnapshot,
  contact: Record<string, unknown>,
  messageLinks: MessageLinks,
): string {
  const targets = createLinkTargets(snapshot);
  const links: Record<string, string> = { ...messageLinks };
  for (const linkNo of snapshot.links.keys())
    links[`click_${linkNo}`] = targets.target(contact, linkNo) ?? '';
  return renderHtml(snapshot, contact, links);
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

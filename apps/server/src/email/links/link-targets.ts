import { Context, type Template } from 'liquidjs';
import type { EmailLink, EmailSnapshot } from '../email-content.ts';
import { readDestination, webAddress, type Destination } from './destination.ts';
import { createLiquidEngine, type LiquidEngine } from '../liquid/liquid-engine.ts';
import { RenderError } from '../liquid/render-error.ts';
import { needsClock, renderNodes } from '../liquid/template-part.ts';
import { withTimeLimit } from '../liquid/time-limit.ts';

export interface LinkTargets {
  /** Where link `linkNo` (0-based) leads, at most 8,000 characters; undefined if there is no such link, or it leads nowhere. */
  find(contact: Record<string, unknown>, linkNo: number): Destination | undefined;
  /** The same for addresses of the web, the only ones to which a click is redirected. */
  target(contact: Record<string, unknown>, linkNo: number): string | undefined;
  /** Whether computing the destination may take long: a server then uses a template process. */
  isCostly(linkNo: number): boolean;
}

/** The address of a link that leads nowhere for a recipient: clicking it does nothing. */
export const nowhere = '#';

/** An address whose host is the same for all recipients. */
const fixedHost = /^https?:\/\/[^/?#\s{]+[/?#]/i;
/** In milliseconds. */
const renderLimitMs = 500;
/** Maximum characters: servers and proxies do not accept longer URLs. */
const addressLimit = 8_000;

/**
 * Computes the link destinations of an email, and reads no other part of it.
 * @param isTimed whether the caller limits the time
 */
export function createLinkTargets(
  { links, context }: Pick<EmailSnapshot, 'links' | 'context'>,
  isTimed = false,
): LinkTargets {
  const engine = createLiquidEngine('plain', renderLimitMs);
  // Parsed on demand: an email may have ten thousand links, and the first click on one must not wait for all of them.
  const parsed: (ParsedLink | undefined)[] = links.map(() => undefined);
  const parse = (linkNo: number): ParsedLink | undefined => {
    const link = links[linkNo];
    return link && (parsed[linkNo] ??= parseLink(engine, link));
  };
  const find: LinkTargets['find'] = (contact, linkNo) => {
    const link = parse(linkNo);
    if (link === undefined) return undefined;
    const { nodes } = link;
    if (nodes === undefined) {
      const address = webAddress(link.url);
      return address === undefined ? undefined : { kind: 'web', address };
    }
    const scope = Object.assign(Object.create(null) as Record<string, unknown>, context, {
      contact,
      links: {},
    });
    const render = () =>
      renderNodes(engine, nodes, new Context(scope, engine.liquid.options, { sync: true }), addressLimit);
    try {
      return readDestination(link.isCostly && !isTimed ? withTimeLimit(renderLimitMs, render) : render());
    } catch (error) {
      if (error instanceof RenderError) return undefined;
      throw error;
    }
  };
  return {
    find,
    target: (contact, linkNo) => {
      const destination = find(contact, linkNo);
      return destination?.kind === 'web' ? destination.address : undefined;
    },
    isCostly: (linkNo) => parse(linkNo)?.isCostly === true,
  };
}

/** Whether it depends on the recipient if a link leads to the web, to another program, or nowhere. */
export const isOpenLink = (link: EmailLink | undefined): boolean =>
  link?.personal === true && !fixedHost.test(link.url);

/** @returns the host of a link, as in `URL.host`; undefined if it depends on the recipient */
export function hostOf({ url, personal }: EmailLink): string | undefined {
  const address = personal ? fixedHost.exec(url)?.[0] : url;
  return address === undefined ? undefined : URL.parse(address)?.host;
}

interface ParsedLink {
  url: string;
  nodes: Template[] | undefined;
  isCostly: boolean;
}

const parseLink = (engine: LiquidEngine, { url, personal }: EmailLink): ParsedLink => ({
  url,
  nodes: personal ? engine.parse(url) : undefined,
  isCostly: personal && needsClock(engine, url),
});

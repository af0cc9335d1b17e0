import { Context, type Template } from 'liquidjs';
import type { EmailSnapshot } from '../email-content.ts';
import { createLiquidEngine, type LiquidEngine } from '../liquid/liquid-engine.ts';
import { RenderError } from '../liquid/render-error.ts';
import { needsClock, renderNodes } from '../liquid/template-part.ts';
import { withTimeLimit } from '../liquid/time-limit.ts';

export interface LinkTargets {
  /** Destination of link `linkNo` (0-based); undefined unless it is an http(s) address of at most 8,000 characters. */
  target(contact: Record<string, unknown>, linkNo: number): string | undefined;
  /** Whether computing the destination may take long: a server then uses a template process. */
  isCostly(linkNo: number): boolean;
}

/** In milliseconds. */
const renderLimitMs = 500;
/** Maximum characters: servers and proxies do not accept longer URLs. */
const addressLimit = 8_000;

/** Computes the link destinations of an email, and reads no other part of it. */
export function createLinkTargets({ links, context }: Pick<EmailSnapshot, 'links' | 'context'>): LinkTargets {
  const engine = createLiquidEngine('plain', renderLimitMs);
  // Parsed on demand: an email may have ten thousand links, and the first click on one must not wait for all of them.
  const parsed: (ParsedLink | undefined)[] = links.map(() => undefined);
  const parse = (linkNo: number): ParsedLink | undefined => {
    const link = links[linkNo];
    return link && (parsed[linkNo] ??= parseLink(engine, link));
  };
  return {
    target: (contact, linkNo) => {
      const link = parse(linkNo);
      if (link === undefined) return undefined;
      const { nodes } = link;
      if (nodes === undefined) return webAddress(link.url);
      const scope = Object.assign(Object.create(null) as Record<string, unknown>, context, {
        contact,
        links: {},
      });
      const render = () =>
        renderNodes(engine, nodes, new Context(scope, engine.liquid.options, { sync: true }), addressLimit);
      try {
        return webAddress(link.isCostly ? withTimeLimit(renderLimitMs, render) : render());
      } catch (error) {
        if (error instanceof RenderError) return undefined;
        throw error;
      }
    },
    isCostly: (linkNo) => parse(linkNo)?.isCostly === true,
  };
}

interface ParsedLink {
  url: string;
  nodes: Template[] | undefined;
  isCostly: boolean;
}

const parseLink = (engine: LiquidEngine, { url, personal }: EmailSnapshot['links'][number]): ParsedLink => ({
  url,
  nodes: personal ? engine.parse(url) : undefined,
  isCostly: personal && needsClock(engine, url),
});

/** @returns the URL in WHATWG form, which is ASCII and has no control characters; undefined unless http(s) */
function webAddress(text: string): string | undefined {
  const url = URL.parse(text.trim());
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined;
}

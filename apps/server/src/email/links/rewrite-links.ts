import type { CompileProblem, EmailLink } from '../email-content.ts';
import { decodeAttribute, outlineHtml } from './html-links.ts';
import type { LiquidEngine } from '../liquid/liquid-engine.ts';
import { protectLiquid, type ProtectedText } from '../liquid/protect-liquid.ts';

export interface RewrittenHtml {
  /** Liquid HTML whose tracked destinations are `{{ links.click_N }}`. */
  html: string;
  links: EmailLink[];
  /** Whether an `<a>` leads to `{{ links.unsubscribe }}`. */
  hasUnsubscribeLink: boolean;
  problems: CompileProblem[];
}

/** Elements that mail programs block, or that could have effects outside of the message. */
const forbiddenElements = new Set(['script', 'form', 'iframe', 'object', 'embed', 'base', 'applet']);

/**
 * Replaces every http(s) destination with a numbered link; equal destinations share a number. `links.*`, mailto, tel and
 * anchors inside the message are kept; all other destinations are reported as problems.
 */
export function rewriteLinks(source: string, plainEngine: LiquidEngine): RewrittenHtml {
  const guarded = protectLiquid(source);
  const { text } = guarded;
  const outline = outlineHtml(text);
  const links: EmailLink[] = [];
  const numbers = new Map<string, number>();
  const problems = [...new Set(outline.elements)]
    .filter((element) => forbiddenElements.has(element))
    .map((element) => notAllowed(`<${element}> is not allowed in an email.`));
  const reader = { guarded, plainEngine, locals: localNames(source, plainEngine) };
  let hasUnsubscribeLink = false;
  let html = '';
  let at = 0;

  for (const { element, name, start, end } of outline.attributes) {
    const raw = text.slice(start, end);
    problems.push(...findAttributeProblems(element, name, raw));
    if (name !== 'href' || (element !== 'a' && element !== 'area')) continue;
    const { link, problem: found, isUnsubscribe } = readDestination(raw, reader);
    if (found !== undefined) problems.push(found);
    if (isUnsubscribe === true) hasUnsubscribeLink = true;
    if (link === undefined) continue;
    const key = `${link.personal} ${link.url}`;
    const number = numbers.get(key) ?? links.push(link) - 1;
    numbers.set(key, number);
    html += `${text.slice(at, start)}{{ links.click_${number} }}`;
    at = end;
  }
  return { html: guarded.restore(html + text.slice(at)), links, hasUnsubscribeLink, problems };
}

function findAttributeProblems(element: string, name: string, raw: string): CompileProblem[] {
  const problems: CompileProblem[] = [];
  if (name.startsWith('on')) problems.push(notAllowed(`The attribute ${name} is not allowed in an email.`));
  if (
    element === 'img' &&
    name === 'src' &&
    /^\s*(?!https:|http:\/\/localhost[:/])[a-z][a-z\d+.-]*:/i.test(raw)
  ) {
    const message = `An image should be loaded by https: ${raw.slice(0, 100)}`;
    problems.push(problem('image_not_https', 'warning', message));
  }
  return problems;
}

const notAllowed = (message: string) => problem('element_not_allowed', 'error', message);

interface DestinationReader {
  guarded: ProtectedText;
  plainEngine: LiquidEngine;
  locals: ReadonlySet<string>;
}

/** One parsed destination; `link` is unset if the destination is kept. */
interface Destination {
  link?: EmailLink;
  problem?: CompileProblem;
  isUnsubscribe?: boolean;
}

function readDestination(raw: string, reader: DestinationReader): Destination {
  const { guarded } = reader;
  const value = raw.trim();
  const shown = guarded.restore(value).slice(0, 200);
  const firstWord = value.search(guarded.pattern);
  const own = /^\{\{-?\s*links\.(\w+)\s*-?\}\}/.exec(guarded.restore(value))?.[1];
  if (own !== undefined && firstWord === 0) return { isUnsubscribe: own === 'unsubscribe' };
  const fixed = decodeAttribute(firstWord < 0 ? value : value.slice(0, firstWord)).replaceAll(
    /[\t\r\n]/g,
    '',
  );
  if (fixed === '' && firstWord < 0) return {};
  if (/^(?:#|mailto:|tel:)/i.test(fixed)) return {};
  const isWeb = /^https?:\/\//i.test(fixed);
  if (firstWord < 0) {
    if (isWeb && URL.canParse(fixed)) return { link: { url: fixed, personal: false } };
  } else if (isWeb || fixed === '') {
    const url = personalUrl(value, guarded);
    if (url !== undefined && isReadable(url, reader)) return { link: { url, personal: true } };
    // Uses local variables, such as those of a loop: its destination is unknown outside of it.
    if (isWeb)
      return {
        problem: problem('link_not_tracked', 'warning', `Clicks on this link are not counted: ${shown}`),
      };
  }
  const message = `A link must start with https://, http://, mailto: or tel:, not ${shown}`;
  return { problem: problem('link_not_allowed', 'error', message) };
}

/** @returns the attribute as plain Liquid: its fixed parts are decoded, and cannot start Liquid themselves */
function personalUrl(value: string, { pattern, sources }: ProtectedText): string | undefined {
  let url = '';
  for (const [index, part] of value.split(pattern).entries()) {
    url += index % 2 === 1 ? sources[Number(part)]! : decodeAttribute(part).replaceAll('{', '%7B');
  }
  return url.length <= 8000 ? url : undefined;
}

function isReadable(url: string, { plainEngine, locals }: DestinationReader): boolean {
  try {
    const { globals } = plainEngine.liquid.analyzeSync(plainEngine.parse(url), { partials: false });
    return Object.keys(globals).every((root) => !locals.has(root) && root !== 'links');
  } catch {
    return false;
  }
}

/** @returns names that are only defined at some places of the template */
function localNames(source: string, { liquid, parse }: LiquidEngine): Set<string> {
  const { locals } = liquid.analyzeSync(parse(source), { partials: false });
  const names = new Set([...Object.keys(locals), 'forloop', 'tablerowloop']);
  for (const [, name] of source.matchAll(/\{%-?\s*(?:for|tablerow)\s+([\w-]+)/g)) names.add(name!);
  return names;
}

function problem(
  code: CompileProblem['code'],
  severity: CompileProblem['severity'],
  message: string,
): CompileProblem {
  return { code, severity, message, field: 'mjml' };
}

import { isAsWritten, withAsWritten } from '@reachout/contract/rules/as-written.ts';
import { cutText } from '@reachout/contract/rules/cut-text.ts';
import type { CompileProblem, EmailLink } from '../email-content.ts';
import { isSigned, judgeAddress } from './destination.ts';
import { decodeAttribute, outlineHtml } from './html-links.ts';
import { hostOf } from './link-targets.ts';
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
const linkElements = new Set(['a', 'area']);

/**
 * Replaces every http(s) destination with a numbered link; equal destinations share a number. `links.*`, anchors inside the
 * message and addresses of other programs are kept; all other destinations are reported as problems. What marks a link to be
 * left as it is means nothing to mail programs, and is removed.
 * @param lineOf the line of a piece of HTML in what the author wrote, if it is there
 */
export function rewriteLinks(
  source: string,
  plainEngine: LiquidEngine,
  lineOf: (html: string) => number | undefined,
): RewrittenHtml {
  const guarded = protectLiquid(source);
  const { text } = guarded;
  const outline = outlineHtml(text);
  const links: EmailLink[] = [];
  const numbers = new Map<string, number>();
  const leftAsWritten = new Set(
    outline.attributes.flatMap(({ element, elementNo, name, start, end }) =>
      name === 'rel' && linkElements.has(element) && isAsWritten(text.slice(start, end)) ? [elementNo] : [],
    ),
  );
  const problems = [...new Set(outline.elements)]
    .filter((element) => forbiddenElements.has(element))
    .map((element) => notAllowed(`<${element}> is not allowed in an email.`, lineOf(`<${element}`)));
  const reader = { guarded, plainEngine, locals: localNames(source, plainEngine) };
  let hasUnsubscribeLink = false;
  let html = '';
  let at = 0;

  for (const { element, elementNo, name, nameStart, start, end, attributeEnd } of outline.attributes) {
    const raw = text.slice(start, end);
    const place = () => findPlace(name, guarded.restore(raw), lineOf);
    problems.push(...findAttributeProblems(element, name, raw, place));
    if (!linkElements.has(element)) continue;
    const asWritten = leftAsWritten.has(elementNo);
    if (name === 'rel' && asWritten) {
      const others = withAsWritten(raw, false);
      html += text.slice(at, others === '' ? nameStart : start) + others;
      at = others === '' ? attributeEnd : end;
    }
    if (name !== 'href') continue;
    const { link, problem: found, isUnsubscribe } = readDestination(raw, asWritten, reader);
    if (found !== undefined) problems.push(withLine(found, place()));
    if (isUnsubscribe === true) hasUnsubscribeLink = true;
    if (link === undefined) continue;
    const key = `${link.personal} ${asWritten} ${link.url}`;
    const number = numbers.get(key) ?? links.push(link) - 1;
    numbers.set(key, number);
    html += `${text.slice(at, start)}{{ links.click_${number} }}`;
    at = end;
  }
  return { html: guarded.restore(html + text.slice(at)), links, hasUnsubscribeLink, problems };
}

/** The compiler keeps attributes of links and images as they are. */
const findPlace = (name: string, value: string, lineOf: (html: string) => number | undefined) =>
  lineOf(`="${value}"`) ?? lineOf(`='${value}'`) ?? lineOf(` ${name}=`);

function findAttributeProblems(
  element: string,
  name: string,
  raw: string,
  place: () => number | undefined,
): CompileProblem[] {
  const problems: CompileProblem[] = [];
  if (name.startsWith('on'))
    problems.push(notAllowed(`The attribute ${name} is not allowed in an email.`, place()));
  if (
    element === 'img' &&
    name === 'src' &&
    /^\s*(?!https:|http:\/\/localhost[:/])[a-z][a-z\d+.-]*:/i.test(raw)
  ) {
    const message = `An image should be loaded by https: ${cutText(raw, 100)}`;
    problems.push(withLine(problem('image_not_https', 'warning', message), place()));
  }
  return problems;
}

const notAllowed = (message: string, line: number | undefined) =>
  withLine(problem('element_not_allowed', 'error', message), line);

const withLine = (found: CompileProblem, line: number | undefined): CompileProblem =>
  line === undefined ? found : { ...found, line };

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

function readDestination(raw: string, asWritten: boolean, reader: DestinationReader): Destination {
  const { guarded } = reader;
  const value = raw.trim();
  const shown = cutText(guarded.restore(value), 200);
  const firstWord = value.search(guarded.pattern);
  const own = /^\{\{-?\s*links\.(\w+)\s*-?\}\}/.exec(guarded.restore(value))?.[1];
  if (own !== undefined && firstWord === 0) return { isUnsubscribe: own === 'unsubscribe' };
  const fixed = decodeAttribute(firstWord < 0 ? value : value.slice(0, firstWord)).replaceAll(
    /[\t\r\n]/g,
    '',
  );
  if (fixed === '' && firstWord < 0) return {};
  const judged = judgeAddress(fixed, firstWord < 0);
  if (judged === 'kept') return {};
  if (judged === 'app') {
    const message = `Clicks on this link are not counted, and not every device can open it: ${shown}`;
    return { problem: problem('link_not_on_web', 'warning', message) };
  }
  const isWeb = judged === 'web';
  if (isWeb && firstWord < 0) {
    const found = toLink({ url: fixed, personal: false }, asWritten, shown);
    if (!/^http:\/\/(?!localhost[:/]|127\.)/i.test(fixed)) return found;
    return {
      ...found,
      problem: problem('link_not_https', 'warning', `A link should start with https://: ${shown}`),
    };
  }
  if (firstWord >= 0 && (isWeb || fixed === '')) {
    const url = personalUrl(value, guarded);
    if (url !== undefined && isReadable(url, reader))
      return toLink({ url, personal: true }, asWritten, shown);
    // Uses local variables, such as those of a loop: its destination is unknown outside of it.
    if (isWeb)
      return {
        problem: problem('link_not_tracked', 'warning', `Clicks on this link are not counted: ${shown}`),
      };
  }
  const message =
    judged === 'forbidden'
      ? `A link in an email can’t lead to ${shown}: link to a page that starts with https://`
      : `This is no address, write one that starts with https:// (or mailto:, tel:, sms:): ${shown}`;
  return { problem: problem('link_not_allowed', 'error', message) };
}

function toLink(link: EmailLink, asWritten: boolean, shown: string): Destination {
  if (asWritten) return { link: { ...link, as_written: true } };
  if (!isSigned(link.url)) return { link };
  const host = hostOf(link);
  const message = `This address is signed and stays as it is: visits through it count for no email: ${shown}`;
  return {
    link,
    problem: { ...problem('link_signed', 'warning', message), ...(host === undefined ? {} : { host }) },
  };
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

const problem = (
  code: CompileProblem['code'],
  severity: CompileProblem['severity'],
  message: string,
): CompileProblem => ({ code, severity, message, field: 'mjml' });

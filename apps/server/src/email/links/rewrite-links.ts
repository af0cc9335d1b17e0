import type { CompileProblem, EmailLink } from '../email-content.ts';
import { decodeAttribute, outlineHtml } from './html-links.ts';
import type { LiquidEngine } from '../liquid/liquid-engine.ts';
import { protectLiquid } from '../liquid/protect-liquid.ts';

export interface RewrittenHtml {
  /** Liquid HTML whose tracked destinations are `{{ links.click_N }}`. */
  html: string;
  links: EmailLink[];
  /** Whether an `<a>` leads to `{{ links.unsubscribe }}`. */
  hasUnsubscribeLink: boolean;
  problems: CompileProblem[];
}

/** Elements that mail programs block, or that could reach beyond the message. */
const forbiddenElements = new Set(['script', 'form', 'iframe', 'object', 'embed', 'base', 'applet']);

/**
 * Gives every http(s) destination a number; equal destinations share one. `links.*`, mailto, tel and anchors
 * inside the message stay as they are, everything else is refused.
 */
export function rewriteLinks(source: string, plainEngine: LiquidEngine): RewrittenHtml {
  const guarded = protectLiquid(source);
  const { text } = guarded;
  const outline = outlineHtml(text);
  const locals = localNames(source, plainEngine);
  const links: EmailLink[] = [];
  const numbers = new Map<string, number>();
  const problems: CompileProblem[] = [];
  let hasUnsubscribeLink = false;
  let html = '';
  let at = 0;

  for (const element of new Set(outline.elements)) {
    if (forbiddenElements.has(element)) {
      problems.push(problem('element_not_allowed', 'error', `<${element}> is not allowed in an email.`));
    }
  }
  for (const { element, name, start, end } of outline.attributes) {
    const raw = text.slice(start, end);
    if (name.startsWith('on')) {
      problems.push(
        problem('element_not_allowed', 'error', `The attribute ${name} is not allowed in an email.`),
      );
    }
    if (element === 'img' && name === 'src' && /^\s*(?!https:)[a-z][a-z\d+.-]*:/i.test(raw)) {
      problems.push(
        problem('image_not_https', 'warning', `An image should be loaded by https: ${raw.slice(0, 100)}`),
      );
    }
    if (name !== 'href' || (element !== 'a' && element !== 'area')) continue;
    const destination = readDestination(raw);
    if (destination === undefined) continue;
    const key = `${destination.personal} ${destination.url}`;
    let number = numbers.get(key);
    if (number === undefined) {
      number = links.push(destination) - 1;
      numbers.set(key, number);
    }
    html += `${text.slice(at, start)}{{ links.click_${number} }}`;
    at = end;
  }
  return { html: guarded.restore(html + text.slice(at)), links, hasUnsubscribeLink, problems };

  /** Undefined for a link that stays as it is. */
  function readDestination(raw: string): EmailLink | undefined {
    const value = raw.trim();
    const shown = guarded.restore(value).slice(0, 200);
    const firstWord = value.search(guarded.pattern);
    const own = /^\{\{-?\s*links\.(\w+)\s*-?\}\}/.exec(guarded.restore(value))?.[1];
    if (own !== undefined && firstWord === 0) {
      if (own === 'unsubscribe') hasUnsubscribeLink = true;
      return undefined;
    }
    const fixed = decodeAttribute(firstWord < 0 ? value : value.slice(0, firstWord)).replaceAll(
      /[\t\r\n]/g,
      '',
    );
    if (fixed === '' && firstWord < 0) return undefined;
    if (/^(?:#|mailto:|tel:)/i.test(fixed)) return undefined;
    const isWeb = /^https?:\/\//i.test(fixed);
    if (firstWord < 0) {
      if (isWeb && URL.canParse(fixed)) return { url: fixed, personal: false };
    } else if (isWeb || fixed === '') {
      const url = personalUrl(value);
      if (url !== undefined && isReadable(url)) return { url, personal: true };
      // Rendered inside a loop: what it leads to cannot be told without the loop.
      if (isWeb) {
        problems.push(
          problem('link_not_tracked', 'warning', `Clicks on this link are not counted: ${shown}`),
        );
        return undefined;
      }
    }
    const message = `A link must start with https://, http://, mailto: or tel:, not ${shown}`;
    problems.push(problem('link_not_allowed', 'error', message));
    return undefined;
  }

  /** The attribute as plain Liquid: its fixed parts decoded, unable to open Liquid of their own. */
  function personalUrl(value: string): string | undefined {
    let url = '';
    for (const [index, part] of value.split(guarded.pattern).entries()) {
      url += index % 2 === 1 ? guarded.sources[Number(part)]! : decodeAttribute(part).replaceAll('{', '%7B');
    }
    return url.length <= 8000 ? url : undefined;
  }

  function isReadable(url: string): boolean {
    try {
      const { globals } = plainEngine.liquid.analyzeSync(plainEngine.parse(url), { partials: false });
      return Object.keys(globals).every((root) => !locals.has(root) && root !== 'links');
    } catch {
      return false;
    }
  }
}

/** Names that mean something only at some place of the template. */
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

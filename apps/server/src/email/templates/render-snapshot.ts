import { cutText } from '@reachout/contract/rules/cut-text.ts';
import { hash } from 'node:crypto';
import { Context, LiquidError, Output, type Template } from 'liquidjs';
import { parseAddress } from '../addresses/address.ts';
import {
  noTags,
  type CompileProblem,
  type EmailContent,
  type EmailContext,
  type EmailLink,
  type EmailSnapshot,
  type MergeTags,
} from '../email-content.ts';
import { collectMergeTags } from './collect-merge-tags.ts';
import { inlineTemplate } from './inline-template.ts';
import { outlineHtml } from '../links/html-links.ts';
import { toHeaderText } from '../encoding/header-text.ts';
import { createLiquidEngine, type LiquidEngine } from '../liquid/liquid-engine.ts';
import { findFlaws } from './find-flaws.ts';
import { compileMjml } from './mjml-html.ts';
import { findOddOutputs } from '../liquid/find-odd-outputs.ts';
import { protectLiquid } from '../liquid/protect-liquid.ts';
import { findMisplacedRichText, findRawContactOutput } from '../liquid/raw-output.ts';
import { isOpenLink } from '../links/link-targets.ts';
import { rewriteLinks } from '../links/rewrite-links.ts';
import { renderNodes } from '../liquid/template-part.ts';
import { deriveTextTemplate } from '../liquid/text-template.ts';

export interface SnapshotResult {
  /** Undefined if nothing can be shown. Must not be sent if there are problems of severity `error`. */
  snapshot: EmailSnapshot | undefined;
  /** What the email prints and reads of a contact; empty if nothing can be shown. */
  tags: MergeTags;
  problems: CompileProblem[];
}

/** Sizes of the HTML in bytes: Gmail clips messages near 102 kB. */
const largeHtml = 100_000;
const largestHtml = 500_000;
/** Time limit of one rendering in milliseconds; the process has 2 s in total. */
const renderLimitMs = 1500;

/** Does the work of `compileEmail` in a template process, which may be killed at any time. */
export async function renderSnapshot(content: EmailContent, context: EmailContext): Promise<SnapshotResult> {
  const html = createLiquidEngine('html', renderLimitMs);
  const plain = createLiquidEngine('plain', renderLimitMs);
  const problems = [...checkSender(content), ...checkLiquid(content, plain)];
  const nothing = { snapshot: undefined, tags: noTags, problems };
  if (problems.some(({ code }) => code === 'liquid_invalid')) return nothing;
  if (toHeaderText(content.subject) === '') {
    problems.push({
      code: 'subject_empty',
      severity: 'error',
      field: 'subject',
      message: 'The subject is empty.',
    });
  }

  let compiled: Awaited<ReturnType<typeof compileMjml>>;
  try {
    compiled = await compileMjml(content.mjml, content.preheader !== '');
  } catch (error) {
    problems.push({ code: 'mjml_invalid', severity: 'error', field: 'mjml', message: messageOf(error) });
    return nothing;
  }
  problems.push(...compiled.problems);

  try {
    const fullHtml = addPreheader(compiled.html, content.preheader);
    problems.push(...checkUnescaped(html, fullHtml));
    const rewritten = rewriteLinks(
      inlineTemplate(html, fullHtml, context),
      plain,
      createLineFinder(content.mjml),
    );
    problems.push(
      ...rewritten.problems,
      ...checkUnsubscribe(html, rewritten.html, rewritten.hasUnsubscribeLink),
    );
    problems.push(...checkHtmlSize(rewritten.html));
    const text = deriveTextTemplate(rewritten.html, (linkNo) => isOpenLink(rewritten.links[linkNo]));
    const reads = findContactReads(html, plain, [rewritten.html], [content.subject, text], rewritten.links);
    const snapshot = {
      version: 1 as const,
      from_name: toHeaderText(content.from_name),
      from_email: addressOf(content.from_email),
      reply_to: content.reply_to === null || content.reply_to === '' ? null : addressOf(content.reply_to),
      subject: content.subject.trim(),
      preheader: content.preheader,
      html: addPixel(rewritten.html),
      // Every message needs a text part, even if it only consists of an image.
      text: text === '' ? content.subject.trim() : text,
      links: rewritten.links,
      contact_fields: reads.isOpen ? null : reads.fields,
      context,
    };
    // Test rendering: if it failed for a contact without data, all messages would fail once the send has started.
    const scope = { ...context, contact: {}, links: {} };
    tryOut(html, snapshot.html, scope);
    for (const source of [snapshot.subject, snapshot.text]) tryOut(plain, source, scope);
    problems.push(...findFlaws(content.mjml, context['brand']));
    const contentHash = hash('sha256', JSON.stringify(snapshot), 'hex');
    const tags = collectMergeTags(content, context, { html, plain, fullHtml, names: reads.fields });
    return { snapshot: { ...snapshot, content_hash: contentHash }, tags, problems };
  } catch (error) {
    // Liquid's line number refers to the compiled HTML, which the author has not seen.
    const message = messageOf(error).replace(/, line:\d+, col:\d+/, '');
    problems.push({ code: 'render_failed', severity: 'error', field: 'mjml', message });
    return nothing;
  }
}

function tryOut(engine: LiquidEngine, source: string, scope: object): void {
  renderNodes(engine, engine.parse(source), new Context(scope, engine.liquid.options, { sync: true }));
}

function checkSender({ from_name, from_email, reply_to }: EmailContent): CompileProblem[] {
  const problems: CompileProblem[] = [];
  const add = (field: 'from_name' | 'from_email' | 'reply_to', message: string) =>
    problems.push({ code: 'sender_invalid', severity: 'error', field, message });
  // Mail programs show an address inside the name instead of the real one.
  if (from_name.includes('@')) add('from_name', 'The sender name must not contain "@".');
  if (/\{[{%]/.test(from_name)) add('from_name', 'The sender name must not contain merge tags.');
  if (toHeaderText(from_name).length > 120)
    add('from_name', 'The sender name is longer than 120 characters.');
  if ('error' in parseAddress(from_email)) add('from_email', 'The sender address is not a valid mailbox.');
  if (reply_to !== null && reply_to !== '' && 'error' in parseAddress(reply_to)) {
    add('reply_to', 'The reply address is not a valid mailbox.');
  }
  return problems;
}

function addressOf(text: string): string {
  const parsed = parseAddress(text);
  return 'error' in parsed ? '' : parsed.address;
}

/** Maximum searches for lines; no more problems are shown. */
const lineLimit = 300;

/** @returns a function with the first line that contains a piece of HTML */
function createLineFinder(mjml: string): (html: string) => number | undefined {
  let searches = 0;
  return (html) => {
    searches += 1;
    const at = searches > lineLimit ? -1 : mjml.indexOf(html);
    return at < 0 ? undefined : mjml.slice(0, at).split('\n').length;
  };
}

const checkLiquid = (content: EmailContent, { parse }: LiquidEngine): CompileProblem[] =>
  (['subject', 'preheader', 'mjml'] as const).flatMap((field) => {
    try {
      return findOddOutputs(parse(content[field]), field);
    } catch (error) {
      const line = LiquidError.is(error) ? error.token.getPosition()[0] : undefined;
      return [
        {
          code: 'liquid_invalid' as const,
          severity: 'error' as const,
          field,
          message: messageOf(error),
          ...(line === undefined ? {} : { line }),
        },
      ];
    }
  });

function checkUnescaped(engine: LiquidEngine, source: string): CompileProblem[] {
  const raw = findRawContactOutput(engine, source);
  const misplaced = findMisplacedRichText(engine, source);
  const problems: CompileProblem[] = [];
  if (raw !== undefined) {
    const message = `A contact's value must not be printed with the filter raw: ${raw}`;
    problems.push({ code: 'unescaped_contact_value', severity: 'error', field: 'mjml', message });
  }
  if (misplaced !== undefined) {
    const message = `The filter rich_text is the last one of an output, within a text: ${misplaced}`;
    problems.push({ code: 'rich_text_misplaced', severity: 'error', field: 'mjml', message });
  }
  return problems;
}

/**
 * Every email of a campaign needs an unsubscribe link that readers can see. The Liquid is checked too, because a link may
 * be inside a Liquid comment.
 */
function checkUnsubscribe(
  { liquid, parse }: LiquidEngine,
  source: string,
  hasLink: boolean,
): CompileProblem[] {
  const nodes = parse(source);
  const isUnsubscribe = (found: { segments: readonly unknown[] }) => found.segments[1] === 'unsubscribe';
  const uses = (part: Template[]) =>
    (liquid.analyzeSync(part, { partials: false }).globals['links'] ?? []).some(isUnsubscribe);
  if (!hasLink || !uses(nodes)) {
    const message = 'The email needs a link to {{ links.unsubscribe }}.';
    return [{ code: 'unsubscribe_link_missing', severity: 'error', field: 'mjml', message }];
  }
  if (nodes.some((node) => node instanceof Output && uses([node]))) return [];
  const message = 'The unsubscribe link is shown only under a condition.';
  return [{ code: 'unsubscribe_link_conditional', severity: 'warning', field: 'mjml', message }];
}

function checkHtmlSize(html: string): CompileProblem[] {
  const size = Buffer.byteLength(html);
  if (size <= largeHtml) return [];
  const shown = `${Math.round(size / 1000)} kB`;
  return size > largestHtml
    ? [
        {
          code: 'html_too_large',
          severity: 'error',
          field: 'mjml',
          message: `The HTML has ${shown}; the limit is 500 kB.`,
        },
      ]
    : [
        {
          code: 'html_large',
          severity: 'warning',
          field: 'mjml',
          message: `The HTML has ${shown}; Gmail clips emails at 102 kB.`,
        },
      ];
}

/** Adds the preheader: hidden text that inboxes show after the subject. */
function addPreheader(html: string, preheader: string): string {
  if (preheader === '') return html;
  const guardedHtml = protectLiquid(html);
  const guarded = protectLiquid(preheader);
  const escaped = guarded.text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const style =
    'display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all';
  const block = `<div style="${style}">${guarded.restore(escaped)}</div>`;
  const at = outlineHtml(guardedHtml.text).bodyStart ?? 0;
  return (
    guardedHtml.restore(guardedHtml.text.slice(0, at)) +
    block +
    guardedHtml.restore(guardedHtml.text.slice(at))
  );
}

function addPixel(html: string): string {
  const end = html.lastIndexOf('</body>');
  return end < 0 ? `${html}{{ links.pixel }}` : `${html.slice(0, end)}{{ links.pixel }}${html.slice(end)}`;
}

interface ContactReads {
  /** First-level fields of `contact` in use. */
  fields: string[];
  /** Whether a template may read other fields, too. */
  isOpen: boolean;
}

function findContactReads(
  html: LiquidEngine,
  plain: LiquidEngine,
  htmlSources: string[],
  plainSources: string[],
  links: EmailLink[],
): ContactReads {
  const fields = new Set<string>();
  let isOpen = false;
  const personal = links.filter((link) => link.personal).map(({ url }) => url);
  for (const [engine, sources] of [
    [html, htmlSources],
    [plain, [...plainSources, ...personal]],
  ] as const) {
    for (const source of sources) {
      const { globals } = engine.liquid.analyzeSync(engine.parse(source), { partials: false });
      for (const { segments } of globals['contact'] ?? []) {
        const [, field] = segments;
        if (typeof field === 'string') fields.add(field);
        else isOpen = true;
      }
    }
  }
  return { fields: [...fields].toSorted(), isOpen };
}

const messageOf = (error: unknown): string =>
  cutText(error instanceof Error ? error.message : String(error), 500);

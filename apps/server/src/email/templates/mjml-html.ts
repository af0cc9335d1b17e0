import { mjmlOptions } from '@reachout/contract/rules/mjml.ts';
import mjml2html from 'mjml';
import type { CompileProblem } from '../email-content.ts';
import { protectLiquid, type ProtectedText } from '../liquid/protect-liquid.ts';
import { markMjml, type Element, type MarkedMjml, type Part } from './mark-mjml.ts';
import { shortenText } from '@reachout/contract/rules/cut-text.ts';

/**
 * Compiles MJML with Liquid to HTML with Liquid. Liquid tags are allowed between MJML elements; inside texts and
 * attributes, all Liquid is allowed. Names what MJML drops.
 * @param replacesPreview drops an `mj-preview`, because the preheader replaces it
 * @throws Error if the source is not MJML at all
 */
export async function compileMjml(
  source: string,
  replacesPreview: boolean,
): Promise<{ html: string; problems: CompileProblem[] }> {
  const protectedSource = protectLiquid(source);
  const marked = markMjml(protectedSource, replacesPreview);
  const { html, errors } = await mjml2html(marked.mjml, mjmlOptions);
  const lines = lineStarts(protectedSource.text);
  const unknown = new Set(
    errors.flatMap(({ message, tagName }) => (/doesn't exist/.test(message) ? [tagName] : [])),
  );
  const problems: CompileProblem[] = [
    ...marked.problems,
    ...findDropped(html, marked, protectedSource, (element) => unknown.has(element)),
    ...errors
      // An attribute that Liquid fills in may be valid.
      .filter(({ message }) => message.search(protectedSource.pattern) < 0)
      .map(({ message, line }) => ({
        code: 'mjml_invalid' as const,
        severity: 'warning' as const,
        field: 'mjml' as const,
        message,
        ...(line > 0 ? { line: protectedSource.lineAt(lines[line - 1] ?? 0) } : {}),
      })),
  ];
  return { html: protectedSource.restore(collapseBlanks(html)), problems };
}

/** Collapses MJML's indentation: each space of a run would be encoded as three bytes. Browsers render it the same. */
function collapseBlanks(html: string): string {
  if (/<pre\b|<textarea\b|white-space:\s*(?:pre|break-spaces)/i.test(html)) return html;
  return html.replaceAll(/[ \t]*\n[ \t\n]*/g, '\n').replaceAll(/[ \t]{2,}/g, ' ');
}

/** @returns the offset of each line: marking MJML changes no line */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/**
 * Compares compiled HTML with the marked MJML that it comes from: names what MJML dropped, and blocks of Liquid that do not
 * enclose there what they enclose in the source.
 * @param isNamed whether a problem says already that an element is unknown to MJML
 */
function findDropped(
  html: string,
  { parts, blocks, enclosing }: MarkedMjml,
  { pattern }: ProtectedText,
  isNamed: (element: string) => boolean,
): CompileProblem[] {
  const problems: CompileProblem[] = [];
  const found = [...html.matchAll(pattern)].map(([, index]) => Number(index));
  const present = new Set(found);
  const byIndex = new Map(parts.map((part) => [part.index, part]));

  /** Blocks that are not complete in the HTML, or that a problem names. */
  const ignored = new Set<number>();
  const reportBlock = (block: number, message: (shown: string) => string, at = byIndex.get(block)) => {
    if (ignored.has(block) || at === undefined) return;
    ignored.add(block);
    problems.push(misplaced(at, message(inShort(byIndex.get(block)?.shown ?? at.shown))));
  };

  for (const part of parts) {
    const { index, kind } = part;
    if (present.has(index) || isHarmless(part) || isInside(part, ({ isUnclosed }) => isUnclosed)) continue;
    const tag = blocks.tag(index);
    if (tag !== undefined) reportBlock(tag.block, (shown) => describeTag(part, shown));
    else if (kind === 'tag') problems.push(misplaced(part, describeTag(part, inShort(part.shown))));
    else if (!isInside(part, ({ name }) => isNamed(name))) problems.push(describeLost(part));
  }
  findMoved();
  return problems;

  /** Whether nobody misses a part. */
  function isHarmless(part: Part): boolean {
    const { index, place } = part;
    const tag = blocks.tag(index);
    if (/^\{%-?\s*#/.test(part.shown) || isCommentedOut(part)) return true;
    // Defaults that no element uses.
    if (place === 'value' && isInside(part, ({ name }) => name === 'mj-attributes')) return true;
    const isWholeInComment =
      part.comment !== undefined &&
      (tag === undefined ||
        [tag.block, blocks.endOf(tag.block) ?? -1].every(
          (end) => byIndex.get(end)?.comment === part.comment,
        ));
    const isNote = tag !== undefined && blocks.isComment(tag.block) && !enclosing.has(tag.block);
    if ((isWholeInComment || isNote) && tag !== undefined) ignored.add(tag.block);
    return isWholeInComment || isNote;
  }

  function isCommentedOut({ branch }: Part): boolean {
    return blocks.blocksIn(branch).some((block) => blocks.isComment(block));
  }

  /** Follows the blocks through the HTML, and compares what is around each part with the source. */
  function findMoved(): void {
    const open: number[] = [];
    const effective = (branch: number) => {
      let at = branch;
      while (at >= 0 && ignored.has(blocks.blockOfBranch(at))) at = blocks.around(blocks.blockOfBranch(at));
      return at;
    };
    for (const index of found) {
      const part = byIndex.get(index);
      if (part === undefined) continue;
      const tag = blocks.tag(index);
      const top = open.at(-1) ?? -1;
      if (tag !== undefined && ignored.has(tag.block)) continue;
      const isExpected =
        tag === undefined || tag.role === 'open'
          ? part.place === 'value' || effective(part.branch) === top
          : blocks.blockOfBranch(top) === tag.block;
      if (!isExpected) {
        const inSource = effective(part.branch);
        const block = tag?.block ?? blocks.blockOfBranch(inSource >= 0 ? inSource : top);
        reportBlock(block, (shown) => `${shown} has no effect here: MJML moves what it encloses. ${wayOut}`);
        return;
      }
      if (tag === undefined) continue;
      if (tag.role !== 'open') open.pop();
      if (tag.role !== 'end') open.push(index);
    }
  }
}

const wayOut = 'Put the condition around the whole element, or inside a text.';

function describeTag({ place, element }: Part, shown: string): string {
  if (place === 'name') return `${shown} has no effect between attributes: use it inside the value of one.`;
  if (place === 'comment')
    return `${shown} has no effect in a comment, from where MJML drops it: remove <!-- and --> around it.`;
  const name = element?.name;
  if (name === 'mj-head')
    return `${shown} has no effect here: in mj-head, it can enclose styles that are not inlined, or mj-raw alone.`;
  return name === undefined || name === 'mjml'
    ? `${shown} has no effect outside of mj-body: move it into mj-body.`
    : `${shown} has no effect directly in ${name}. ${wayOut}`;
}

function describeLost(part: Part): CompileProblem {
  const { element, shown, line, place } = part;
  const where = element === undefined ? 'outside of mjml' : `directly in ${element.name}`;
  const message =
    place === 'text'
      ? `MJML drops what stands ${where}: ${inShort(shown)}. Move it into an mj-text.`
      : `MJML drops the value of an attribute of ${element?.name}: ${inShort(shown)}.`;
  return { code: 'mjml_dropped', severity: 'warning', field: 'mjml', message, line };
}

const misplaced = ({ line }: Part, message: string): CompileProblem => ({
  code: 'liquid_misplaced',
  severity: 'error',
  field: 'mjml',
  message,
  line,
});

/** In characters. */
const shownLimit = 60;
const inShort = (text: string): string => shortenText(text.replaceAll(/\s+/g, ' '), shownLimit);

function isInside({ element }: Part, matches: (element: Element) => boolean): boolean {
  for (let outer = element; outer !== undefined; outer = outer.parent) if (matches(outer)) return true;
  return false;
}

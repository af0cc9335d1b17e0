import type {
  EmailContent,
  EmailContext,
  EmptyItemField,
  MergeTag,
  MergeTags,
  TagPlace,
} from '../email-content.ts';
import { findMergeTags, type FoundItemField, type FoundTag } from '../liquid/find-merge-tags.ts';
import type { LiquidEngine } from '../liquid/liquid-engine.ts';

/** Maximum variables; further ones are ignored, since nobody reads so many problems. */
const maxVariables = 200;

/** The templates of an email as they are rendered, before the parts that all recipients share are inlined. */
interface Sources {
  html: LiquidEngine;
  plain: LiquidEngine;
  /** Compiled HTML with the preheader. */
  fullHtml: string;
  /** First-level fields of `contact` in use. */
  names: readonly string[];
}

/** Collects what the subject and the HTML print; the text is derived from the HTML and prints nothing else. */
export function collectMergeTags(
  content: EmailContent,
  context: EmailContext,
  { html, plain, fullHtml, names }: Sources,
): MergeTags {
  const parts = [
    { engine: plain, source: content.subject, fields: ['subject'] },
    { engine: html, source: fullHtml, fields: ['mjml', 'preheader'] },
  ] as const;
  const variables = new Map<string, PlacedTag>();
  const itemFields = new Map<string, FoundItemFields>();
  const read = new Set<string>();
  for (const [part, { engine, source, fields }] of parts.entries()) {
    const placeOf = ({ node }: Pick<FoundTag, 'node'>) => findPlace(content, fields, node.token.getText());
    const roots = findMergeTags(engine, source, context, {
      tag: (tag) => addTag(variables, tag, () => ({ place: placeOf(tag), at: [part, tag.node.token.begin] })),
      itemField: (field) => addItemField(itemFields, field, () => placeOf(field)),
    });
    for (const root of roots) read.add(root);
  }
  const reads = (['subject', 'mjml', 'preheader'] as const).map((field) => ({
    field,
    lines: findReads(content[field]),
  }));
  return {
    printed: [...variables.values()]
      .toSorted((a, b) => a.at[0] - b.at[0] || a.at[1] - b.at[1])
      .map(({ variable, place, empty }) => ({ variable, place, empty })),
    fields: names.map((name) => {
      const { field, lines } = reads.find((source) => source.lines.has(name)) ?? reads[1]!;
      const line = lines.get(name);
      return { name, place: { field, ...(line !== undefined && { line }) } };
    }),
    emptyItemFields: [...itemFields.values()].map(({ blankIn, ...found }) => ({
      ...found,
      count: blankIn.size,
    })),
    reads: (['item', 'items'] as const).filter((root) => read.has(root)),
  };
}

interface FoundItemFields extends Omit<EmptyItemField, 'count'> {
  blankIn: Set<unknown>;
}

function addItemField(
  found: Map<string, FoundItemFields>,
  { of, field, item }: FoundItemField,
  place: () => TagPlace,
): void {
  const known = found.get(`${of}.${field}`);
  if (known !== undefined) known.blankIn.add(item);
  else if (found.size < maxVariables)
    found.set(`${of}.${field}`, { of, field, place: place(), blankIn: new Set([item]) });
}

interface PlacedTag extends MergeTag {
  /** Index of the part of the email, and the position in its source. */
  at: [number, number];
}

/** Of several places of a variable, keeps the one that most recipients see empty. */
function addTag(
  found: Map<string, PlacedTag>,
  { variable, empty }: FoundTag,
  place: () => Pick<PlacedTag, 'place' | 'at'>,
): void {
  const known = found.get(variable);
  if (known === undefined ? found.size < maxVariables : weightOf(empty) > weightOf(known.empty))
    found.set(variable, { variable, empty, ...place() });
}

const weightOf = (empty: MergeTag['empty']): number =>
  empty === 'always' ? 3 : empty === 'not_counted' ? 1 : empty.hasFallback ? 0 : 2;

/** @returns the first line in which a source reads each contact field: `contact.name` or `contact["name"]` */
function findReads(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  let line = 1;
  for (const { 0: found, 1: plain, 2: quoted } of text.matchAll(
    /\n|\bcontact[ \t]*(?:\.[ \t]*([\w-]+)|\[[ \t]*["']([^"'\n]*)["'])/g,
  )) {
    const name = plain ?? quoted ?? '';
    if (found === '\n') line += 1;
    else if (!lines.has(name)) lines.set(name, line);
  }
  return lines;
}

/** @returns the first of the fields that contains a text, and its line there */
function findPlace(content: EmailContent, fields: readonly TagPlace['field'][], text: string): TagPlace {
  for (const field of fields) {
    const at = content[field].indexOf(text);
    if (at >= 0) return { field, line: content[field].slice(0, at).split('\n').length };
  }
  return { field: fields[0]! };
}

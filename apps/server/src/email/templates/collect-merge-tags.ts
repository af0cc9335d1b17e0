import type { EmailContent, EmailContext } from '../email-content.ts';
import {
  findPrintedVariables,
  type EmptyItemField as FoundItemField,
  type PrintedVariable,
} from '../liquid/find-merge-tags.ts';
import type { LiquidEngine } from '../liquid/liquid-engine.ts';
import {
  anyOf,
  hasUnknown,
  isConstant,
  sizeOf,
  widened,
  type ContactTest,
  type EmptyItemField,
  type MergeTag,
  type MergeTags,
  type TagPlace,
} from '../merge-tags.ts';

/** Maximum variables; further ones are ignored, since nobody reads so many problems. */
const maxVariables = 200;
/** Maximum values that all places of one variable may test in total. */
const maxTestSize = 100;

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
  const variables = new Map<string, FoundVariable>();
  const itemFields = new Map<string, FoundItemFields>();
  const read = new Set<string>();
  for (const { engine, source, fields } of parts) {
    const nodes = engine.parse(source);
    const { printed, emptyItemFields } = findPrintedVariables(nodes, context);
    const placeOf = ({ node }: Pick<PrintedVariable, 'node'>) =>
      findPlace(content, fields, node.token.getText());
    for (const one of printed) addPrinted(variables, one, () => placeOf(one));
    for (const one of emptyItemFields) addItemField(itemFields, one, () => placeOf(one));
    for (const root of Object.keys(engine.liquid.analyzeSync(nodes, { partials: false }).globals))
      read.add(root);
  }
  const reads = (['subject', 'mjml', 'preheader'] as const).map((field) => ({
    field,
    lines: findReads(content[field]),
  }));
  return {
    printed: [...variables].flatMap(([variable, { place, tests, isNotChecked }]) => {
      const test = anyOf(...tests.values());
      const empty = isNotChecked ? 'not_checked' : emptinessOf(test);
      return empty === undefined ? [] : [{ variable, place, empty, isExact: !hasUnknown(test) }];
    }),
    fields: names.map((name) => {
      const { field, lines } = reads.find((source) => source.lines.has(name)) ?? reads[1]!;
      const line = lines.get(name);
      return { name, place: { field, ...(line !== undefined && { line }) } };
    }),
    emptyItemFields: [...itemFields.values()].map(({ indexes, ...found }) => ({
      ...found,
      count: indexes.size,
    })),
    reads: (['item', 'items'] as const).filter((root) => read.has(root)),
  };
}

interface FoundItemFields extends Omit<EmptyItemField, 'count'> {
  indexes: Set<number | undefined>;
}

function addItemField(
  found: Map<string, FoundItemFields>,
  { index, field }: FoundItemField,
  place: () => TagPlace,
): void {
  const of = index === undefined ? 'item' : 'items';
  const known = found.get(`${of}.${field}`);
  if (known !== undefined) known.indexes.add(index);
  else if (found.size < maxVariables)
    found.set(`${of}.${field}`, { of, field, place: place(), indexes: new Set([index]) });
}

interface FoundVariable {
  place: TagPlace;
  /** Keyed by their JSON, because most places of a variable have the same test. */
  tests: Map<string, ContactTest>;
  isNotChecked: boolean;
}

function addPrinted(
  variables: Map<string, FoundVariable>,
  { variable, blank, isNotChecked }: PrintedVariable,
  place: () => TagPlace,
): void {
  let found = variables.get(variable);
  if (found === undefined) {
    if (variables.size === maxVariables) return;
    found = { place: place(), tests: new Map(), isNotChecked: false };
    variables.set(variable, found);
  }
  found.isNotChecked ||= isNotChecked || found.tests.size > maxTestSize;
  if (!found.isNotChecked) found.tests.set(JSON.stringify(blank), blank);
}

/** @returns undefined if the variable always prints something */
function emptinessOf(test: ContactTest): MergeTag['empty'] | undefined {
  const wide = widened(test);
  if (isConstant(wide, false)) return undefined;
  if (sizeOf(wide) > maxTestSize) return 'not_checked';
  if (!isConstant(wide, true)) return wide;
  return hasUnknown(test) ? 'not_checked' : 'always';
}

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

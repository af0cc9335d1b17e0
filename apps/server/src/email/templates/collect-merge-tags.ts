import type { EmailContent, EmailContext } from '../email-content.ts';
import { findPrintedVariables, type PrintedVariable } from '../liquid/find-merge-tags.ts';
import type { LiquidEngine } from '../liquid/liquid-engine.ts';
import {
  anyOf,
  hasUnknown,
  isConstant,
  sizeOf,
  widened,
  type ContactTest,
  type MergeTag,
  type MergeTags,
  type TagPlace,
} from '../merge-tags.ts';

/** More variables than this are not told apart: nobody reads so many problems. */
const maxVariables = 200;
/** Values that all places of one variable may look at together. */
const maxTestSize = 100;

/** The templates of an email as they are rendered, but for what all recipients share. */
interface Sources {
  html: LiquidEngine;
  plain: LiquidEngine;
  /** With the preheader. */
  fullHtml: string;
}

/** What the subject and the HTML print; the text is derived from the HTML and prints nothing else. */
export function collectMergeTags(
  content: EmailContent,
  context: EmailContext,
  { html, plain, fullHtml }: Sources,
): MergeTags {
  const parts = [
    { engine: plain, source: content.subject, fields: ['subject'] },
    { engine: html, source: fullHtml, fields: ['mjml', 'preheader'] },
  ] as const;
  const tests = new Map<string, { place: TagPlace; test: ContactTest; found: PrintedVariable[] }>();
  const names = new Map<string, TagPlace>();
  for (const { engine, source, fields } of parts) {
    const nodes = engine.parse(source);
    for (const found of findPrintedVariables(nodes, context)) {
      const known = tests.get(found.variable);
      if (known === undefined && tests.size === maxVariables) break;
      const place =
        known?.place ?? placeOf(content, fields, (text) => text.indexOf(found.node.token.getText()));
      tests.set(found.variable, {
        place,
        test: known === undefined ? found.blank : anyOf(known.test, found.blank),
        found: [...(known?.found ?? []), found],
      });
    }
    const { globals } = engine.liquid.analyzeSync(nodes, { partials: false });
    for (const { segments } of globals['contact'] ?? []) {
      const [, name] = segments;
      if (typeof name !== 'string' || names.has(name)) continue;
      names.set(
        name,
        placeOf(content, fields, (text) => text.search(readOf(name))),
      );
    }
  }
  return {
    printed: [...tests].flatMap(([variable, { place, test, found }]) => {
      const empty = emptinessOf(test, found);
      return empty === undefined ? [] : [{ variable, place, empty, isExact: !hasUnknown(test) }];
    }),
    fields: [...names].map(([name, place]) => ({ name, place })),
  };
}

/** Undefined where the variable always prints something. */
function emptinessOf(test: ContactTest, found: readonly PrintedVariable[]): MergeTag['empty'] | undefined {
  if (found.some(({ isUntold }) => isUntold)) return 'untold';
  const wide = widened(test);
  if (isConstant(wide, false)) return undefined;
  if (sizeOf(wide) > maxTestSize) return 'untold';
  if (!isConstant(wide, true)) return wide;
  return hasUnknown(test) ? 'untold' : 'always';
}

/** `contact.name` and `contact["name"]` in a source. */
function readOf(name: string): RegExp {
  const escaped = name.replaceAll(/\W/g, String.raw`\$&`);
  return new RegExp(`\\bcontact\\s*(?:\\.\\s*${escaped}\\b|\\[\\s*['"]${escaped}['"])`);
}

/** @returns the first of the fields in which something is found, and its line there */
function placeOf(
  content: EmailContent,
  fields: readonly TagPlace['field'][],
  find: (text: string) => number,
): TagPlace {
  for (const field of fields) {
    const at = find(content[field]);
    if (at >= 0) return { field, line: content[field].slice(0, at).split('\n').length };
  }
  return { field: fields[0]! };
}

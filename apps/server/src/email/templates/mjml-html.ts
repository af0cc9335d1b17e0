import { mjmlOptions } from '@reachout/contract/rules/mjml.ts';
import mjml2html from 'mjml';
import type { CompileProblem } from '../email-content.ts';
import { protectLiquid } from '../liquid/protect-liquid.ts';
import { findDropped } from './find-dropped.ts';
import { markMjml } from './mark-mjml.ts';

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

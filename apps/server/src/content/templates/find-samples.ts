import type { CompileProblem } from '../../email/email-content.ts';
import { defaultParagraph } from './default-template.ts';
import { starterTexts } from './starter-texts.ts';

/**
 * Finds what a template begins with and nobody replaced: text of starters, filler text, and links to the domains that
 * RFC 2606 reserves for examples.
 */
export function findSamples(mjml: string): CompileProblem[] {
  const at = (index: number) => ({
    severity: 'warning' as const,
    field: 'mjml' as const,
    line: mjml.slice(0, index).split('\n').length,
  });
  return [
    ...[...mjml.matchAll(samplePattern)].map(({ index }) => ({
      code: 'sample_text' as const,
      message: 'This text is a sample. Replace it.',
      ...at(index),
    })),
    ...[...mjml.matchAll(sampleLink)].map(({ index }) => ({
      code: 'sample_link' as const,
      message: 'This address belongs to a sample domain. Replace it.',
      ...at(index),
    })),
  ].slice(0, maxSamples);
}

/** As many as anybody reads. */
const maxSamples = 20;

/** Line breaks within a text are the author's, or those of the editor. */
const toPattern = (text: string) =>
  text
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
    .join(String.raw`\s+`);

const samplePattern = new RegExp(
  [
    defaultParagraph,
    ...Object.values(starterTexts).flatMap(({ hello: _hello, regards: _regards, ...starters }) =>
      Object.values(starters).flatMap(({ paragraphs }) => paragraphs),
    ),
    'lorem ipsum',
  ]
    .map(toPattern)
    .join('|'),
  'gi',
);

const sampleLink =
  /\b(?:href|src)\s?=\s?["']?\s?https?:\/\/(?:[a-z\d-]+\.)*example\.(?:com|net|org)(?![a-z\d.-])/gi;

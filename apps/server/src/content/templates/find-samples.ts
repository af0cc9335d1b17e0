import type { CompileProblem } from '../../email/email-content.ts';
import { starterTexts } from './starter-texts.ts';

/**
 * Finds sample content that was not replaced: starter text, filler text, and links to the domains that RFC
 * 2606 reserves for examples.
 */
export function findSamples(mjml: string): CompileProblem[] {
  const at = (index: number) => ({
    severity: 'warning' as const,
    field: 'mjml' as const,
    line: mjml.slice(0, index).split('\n').length,
  });
  return [
    ...findFirst(mjml, samplePattern).map(({ index }) => ({
      code: 'sample_text' as const,
      message: 'This text is a sample. Replace it.',
      ...at(index),
    })),
    ...findFirst(mjml, sampleLink).map(({ index }) => ({
      code: 'sample_link' as const,
      message: 'This address belongs to a sample domain. Replace it.',
      ...at(index),
    })),
  ].slice(0, maxSamples);
}

/** Stops at the maximum to report: computing the line number of many matches can take minutes. */
function findFirst(mjml: string, pattern: RegExp): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  for (const match of mjml.matchAll(pattern)) {
    if (found.length === maxSamples) break;
    found.push(match);
  }
  return found;
}

/** Maximum number of reported samples. */
const maxSamples = 20;

/** Matches any whitespace between words, because the author or the editor may have wrapped the lines. */
const toPattern = (text: string) =>
  text
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
    .join(String.raw`\s+`);

const samplePattern = new RegExp(
  [
    ...Object.values(starterTexts).flatMap((starters) =>
      Object.values(starters).flatMap(({ sample }) => Object.values<string>(sample)),
    ),
    'lorem ipsum',
  ]
    .map(toPattern)
    .join('|'),
  'gi',
);

const sampleLink =
  /\b(?:href|src)\s?=\s?["']?\s?https?:\/\/(?:[a-z\d-]+\.)*example\.(?:com|net|org)(?![a-z\d.-])/gi;

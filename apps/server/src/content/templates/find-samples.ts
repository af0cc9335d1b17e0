import { blockTexts } from '@reachout/contract/rules/block-texts.ts';
import type { CompileProblem } from '../../email/email-content.ts';
import { starterTexts } from './starter-texts.ts';

/**
 * Finds sample content that was not replaced: texts of starting points and of new blocks, filler text, images without a file, and
 * links that lead nowhere or to the domains that RFC 2606 reserves for examples.
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
      message: 'This link is a sample. Give it an address of your own.',
      ...at(index),
    })),
    ...findFirst(mjml, imagePattern)
      .filter(([, attributes]) => !/\bsrc\s*=\s*(?:["']\s*)?[^\s"'>]/i.test(attributes!))
      .map(({ index }) => ({
        code: 'sample_image' as const,
        message: 'This image has no file. Choose one, or delete the image.',
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

/** Between words may be any whitespace and formatting: lines are wrapped, and a word is made bold. */
const toPattern = (text: string) =>
  text
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
    .join(String.raw`(?:\s|&nbsp;|</?[a-z][^<>]*>)+`);

/** A single word is a sample if nothing else stands in its element. */
const toWholePattern = (text: string) =>
  /\s/.test(text.trim()) ? toPattern(text) : String.raw`(?<=>\s*)${toPattern(text)}(?=\s*<)`;

const samplePattern = new RegExp(
  [
    ...Object.values(starterTexts).flatMap((starters) =>
      Object.values(starters).flatMap(({ sample }) => Object.values<string>(sample)),
    ),
    ...Object.values(blockTexts).flatMap(({ sample }) => Object.values(sample)),
    'lorem ipsum',
  ]
    .map(toWholePattern)
    .join('|'),
  'gi',
);

/** With its attributes, whose values may have pointed brackets. */
const imagePattern = /<(?:mj-image|mj-carousel-image|img)\b((?:[^<>"']|"[^"]*"|'[^']*')*)>/gi;

const sampleLink =
  /\bhref\s?=\s?(?:""|''|"#"|'#')|\b(?:href|src)\s?=\s?["']?\s?https?:\/\/(?:[a-z\d-]+\.)*example\.(?:com|net|org)(?![a-z\d.-])/gi;

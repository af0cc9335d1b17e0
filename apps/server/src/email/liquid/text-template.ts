import { convert } from 'html-to-text';
import { protectLiquid } from './protect-liquid.ts';

/**
 * Derives the Liquid of the text part from the Liquid of the HTML, once per send. Hidden blocks, mainly the preheader,
 * are omitted.
 */
export function deriveTextTemplate(html: string): string {
  const { text, sources, pattern } = protectLiquid(html);
  const plain = convert(text, {
    wordwrap: false,
    selectors: [
      { selector: '[style*="display:none"]', format: 'skip' },
      { selector: '[style*="display: none"]', format: 'skip' },
      { selector: 'img', format: 'skip' },
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
    ],
  });
  return (
    plain
      // Braces of the text itself must stay literal.
      .replaceAll(/\{(?=[{%])/g, '{{ "{" }}')
      .replaceAll(pattern, (_, index: string) => sources[Number(index)] ?? '')
      .replaceAll(/[ \t]+$/gm, '')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim()
  );
}

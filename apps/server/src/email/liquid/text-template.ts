import { convert } from 'html-to-text';
import { protectLiquid } from './protect-liquid.ts';

/** @returns HTML as it is read in the text part */
export const toPlainText = (html: string): string =>
  convert(html, {
    wordwrap: false,
    selectors: [
      { selector: '[style*="display:none"]', format: 'skip' },
      { selector: '[style*="display: none"]', format: 'skip' },
      { selector: 'img', format: 'skip' },
      // Angle brackets end an address in any text (RFC 3986, appendix C): programs that find links leave them out.
      {
        selector: 'a',
        options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true, linkBrackets: ['<', '>'] },
      },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
    ],
  });

/**
 * Derives the Liquid of the text part from the Liquid of the HTML, once per send. Hidden blocks, mainly the preheader,
 * are omitted.
 * @param isOpen whether a link may lead nowhere for some recipients
 */
export function deriveTextTemplate(html: string, isOpen: (linkNo: number) => boolean): string {
  const { text, sources, pattern } = protectLiquid(html);
  const plain = toPlainText(text);
  return (
    plain
      // Braces of the text itself must stay literal.
      .replaceAll(/\{(?=[{%])/g, '{{ "{" }}')
      .replaceAll(pattern, (_, index: string) => sources[Number(index)] ?? '')
      .replaceAll(/ ?<(\{\{ links\.click_(\d+) \}\})>/g, (found, link: string, linkNo: string) =>
        isOpen(Number(linkNo)) ? `{% if ${link.slice(3, -3)} != "" %}${found}{% endif %}` : found,
      )
      .replaceAll(/[ \t]+$/gm, '')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim()
  );
}

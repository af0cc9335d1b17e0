import { shortenText } from '@reachout/contract/rules/cut-text.ts';
import { Parser } from 'htmlparser2';

const maxLength = 200;

/**
 * The first words of an email, as the `preview` of its template: without tags, with the names of merge tags in brackets, and
 * without links that every email has, such as "View in browser".
 */
export function excerptOf(mjml: string): string {
  let text = '';
  let isInBody = false;
  let skipped = 0;
  const parser = new Parser(
    {
      onopentag(name, { href }) {
        if (name === 'mj-body') isInBody = true;
        if (skipped > 0 || name === 'style' || name === 'script' || href?.includes('links.')) skipped += 1;
      },
      ontext(part) {
        if (isInBody && skipped === 0) text += part;
        if (text.length > maxLength * 10) parser.pause();
      },
      onclosetag() {
        if (skipped > 0) skipped -= 1;
        if (isInBody && skipped === 0) text += ' ';
      },
    },
    { xmlMode: false, recognizeSelfClosing: true },
  );
  parser.write(mjml);
  parser.end();
  const words = text
    .replaceAll(/\{%[^%]*%\}/g, '')
    .replaceAll(/\{\{\s*([\w.]+)[^}]*\}\}/g, '[$1]')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return shortenText(words, maxLength);
}

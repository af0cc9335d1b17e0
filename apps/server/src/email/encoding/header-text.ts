/** Tabs, line breaks and the separators of Unicode, with the blanks around them. */
const lineBreaks = / *[\t-\r\u0085\u2028\u2029][ \t-\r\u0085\u2028\u2029]*/g;
/** Other controls, invisible characters without a meaning in one line, and marks that reorder the text after them. */
// oxlint-disable-next-line no-control-regex -- exactly these must never reach a header
const unprintable = /[\u0000-\u001f\u007f-\u009f\u200b\u2060\u202a-\u202e\ufeff]/g;
// oxlint-disable-next-line no-control-regex -- either of the above
const unusual = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200b\u2060\u202a-\u202e\ufeff]/;

/**
 * The only rule for what a header value is made of any text. Review, preview and renderer use it, so that a line break in the
 * value of one recipient is a blank everywhere, and nothing to stumble over.
 */
export function toHeaderText(text: string): string {
  if (!unusual.test(text)) return text.trim();
  return text.replaceAll(lineBreaks, ' ').replaceAll(unprintable, '').trim();
}

/** What texts keep of HTML: when it is pasted into the editor, and when a field of an item is printed with the filter `rich_text`. */

/** Marks, with the elements that stand for them. */
export const markElements: Readonly<Record<string, string>> = {
  a: 'link',
  strong: 'bold',
  b: 'bold',
  em: 'italic',
  i: 'italic',
  u: 'underline',
  s: 'strike',
  sub: 'subscript',
  sup: 'superscript',
};

/** Elements that are left out with all of their content. */
export const droppedElements: ReadonlySet<string> = new Set(
  'script style head title meta template svg math iframe object select noscript noembed noframes audio video canvas'.split(
    ' ',
  ),
);

export const paragraphElements: ReadonlySet<string> = new Set(
  'p pre dt dd figcaption address summary hr table'.split(' '),
);

/** Stand below each other without a gap, unlike paragraphs. */
export const lineElements: ReadonlySet<string> = new Set(
  'div section article header footer main nav aside figure form fieldset details dl caption center td th'.split(
    ' ',
  ),
);

/** Texts have four levels of headings. */
export const headingLevel = (element: string): number | undefined =>
  /^h[1-6]$/.test(element) ? Math.min(4, Number(element[1])) : undefined;

/** The addresses that a link can have. */
export const linkAddress = /^(?:https?:|mailto:|tel:)/i;

/** Whether a style hides an element. */
export const hidingStyle = /(?:display:\s*none|visibility:\s*hidden|mso-hide:\s*all)/i;

/** Between the paragraphs of a text. */
export const paragraphStyle = (isLast: boolean): string => `margin:0${isLast ? '' : ' 0 16px'}`;

/** @returns the marks that a style sets (true) or ends (false), in this order */
export function marksOfStyle(
  style: string,
  { isLink, isHeading }: { isLink: boolean; isHeading: boolean },
): [mark: string, isSet: boolean][] {
  const found: [string, boolean][] = [];
  const weight = /font-weight:\s*(\w+)/i.exec(style)?.[1] ?? '';
  // A heading is bold anyway.
  if (/^(?:bold|bolder|[6-9]\d\d)$/i.test(weight) && !isHeading) found.push(['bold', true]);
  // Programs for texts write all of a copied line as bold that is not.
  if (/^(?:normal|lighter|[1-5]\d\d)$/i.test(weight)) found.push(['bold', false]);
  if (/font-style:\s*(?:italic|oblique)/i.test(style)) found.push(['italic', true]);
  if (/font-style:\s*normal/i.test(style)) found.push(['italic', false]);
  // A link is underlined anyway.
  if (/text-decoration[\w-]{0,20}:[^;]{0,100}underline/i.test(style) && !isLink)
    found.push(['underline', true]);
  if (/text-decoration[\w-]{0,20}:[^;]{0,100}line-through/i.test(style)) found.push(['strike', true]);
  if (/vertical-align:\s*super/i.test(style)) found.push(['superscript', true]);
  if (/vertical-align:\s*sub\b/i.test(style)) found.push(['subscript', true]);
  return found;
}

/** The element that is written for a mark that a style sets. */
export const elementOfMark: Readonly<Record<string, string>> = {
  bold: 'strong',
  italic: 'em',
  underline: 'u',
  strike: 's',
  superscript: 'sup',
  subscript: 'sub',
};

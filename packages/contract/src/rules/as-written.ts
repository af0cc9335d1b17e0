/**
 * Keyword in the `rel` of a link, of `<a>` as of a block of MJML: its address stays as its author wrote it, and gets no visit
 * token. MJML passes `rel` on for each block with a link. docs/tracking.md
 */
const keyword = 'as-written';

const keywordsOf = (rel: string): string[] => rel.split(/\s+/).filter((word) => word !== '');
const isKeyword = (word: string): boolean => word.toLowerCase() === keyword;

export const isAsWritten = (rel: string | undefined): boolean => keywordsOf(rel ?? '').some(isKeyword);

/** @returns the `rel` with the keyword, or without it; empty if nothing is left */
export function withAsWritten(rel: string | undefined, isSet: boolean): string {
  const others = keywordsOf(rel ?? '').filter((word) => !isKeyword(word));
  return [...others, ...(isSet ? [keyword] : [])].join(' ');
}

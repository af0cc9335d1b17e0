/**
 * Parameters that links of Reachout add to an address: signed id of a message, id and collection of a user, and the sealed visitor of
 * a page on another host.
 */
const mark = /^(ctm_(?:aid|uid|ucn|vid))=(.*)$/s;
/** Anybody can make a link with longer ones, which would be sent to the website again and again. */
const maxLength = 128;

export interface MarkedAddress {
  /** Without the parameters, also those that are too long to be used; everything else is as it was, character by character. */
  address: string;
  marks: Partial<Record<'ctm_aid' | 'ctm_uid' | 'ctm_ucn' | 'ctm_vid', string>>;
}

/** @param href  a complete address, or an empty text */
export function readMarks(href: string): MarkedAddress {
  const marks: Record<string, string> = {};
  const [, start = '', search, hash = ''] = /^([^?#]*)(?:\?([^#]*))?(.*)$/s.exec(href) ?? [];
  if (search === undefined) return { address: href, marks };
  const all = search.split('&');
  const others = all.filter((parameter) => {
    const [, name, value] = mark.exec(parameter) ?? [];
    const read = name && new URLSearchParams(parameter).get(name);
    if (name && read && read.length <= maxLength) marks[name] ??= read;
    return value === undefined;
  });
  const isMarked = others.length < all.length;
  const rest = others.join('&');
  return { address: isMarked ? start + (rest && `?${rest}`) + hash : href, marks };
}

/** Parameters that links of Reachout add to an address: signed id of a contact, id and collection of a user. */
const mark = /^(ctm_(?:aid|uid|ucn))=(.*)$/s;

export interface MarkedAddress {
  /** Without the parameters; everything else is as it was, character by character. */
  address: string;
  marks: Partial<Record<'ctm_aid' | 'ctm_uid' | 'ctm_ucn', string>>;
}

/** @param href  a complete address, or an empty text */
export function readMarks(href: string): MarkedAddress {
  const marks: Record<string, string> = {};
  const [, start = '', search, hash = ''] = /^([^?#]*)(?:\?([^#]*))?(.*)$/s.exec(href) ?? [];
  if (search === undefined) return { address: href, marks };
  const others = search.split('&').filter((parameter) => {
    const [, name, value] = mark.exec(parameter) ?? [];
    if (name !== undefined) marks[name] ||= new URLSearchParams(parameter).get(name) ?? '';
    return value === undefined;
  });
  const isMarked = others.length < search.split('&').length;
  const rest = others.join('&');
  return { address: isMarked ? start + (rest && `?${rest}`) + hash : href, marks };
}

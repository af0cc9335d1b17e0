export interface TagList {
  /** By name, in the order of the text; names and values without the blanks around them. */
  tags: Map<string, string>;
  /** The first part that is no tag, which makes the list invalid. */
  malformed?: string;
  /** The name of a tag that occurs twice, which makes the list invalid. */
  duplicate?: string;
  /** Names with capital letters: strict readers do not know such tags. */
  capitals: string[];
}

/** Blanks as RFC 6376 section 2.8 has them; others, such as no-break spaces, belong to what they stand in. */
const blanks = /^[ \t\r\n]+|[ \t\r\n]+$/g;

/** Of printable ASCII, with folds: other characters make a list invalid. */
const tagSpec = /^[ \t\r\n]*([a-z]\w*)[ \t\r\n]*=([\t\r\n -~]*)$/i;

/**
 * Reads the tag list of a signature, a key record or a DMARC record.
 * @param isAnyCase  reads names in any case: of DMARC, receivers differ in that
 * @see RFC 6376 section 3.2
 */
export function readTagList(text: string, isAnyCase = false): TagList {
  const list: TagList = { tags: new Map(), capitals: [] };
  const parts = text.split(';');
  if (parts.at(-1)!.replace(blanks, '') === '') parts.pop();
  for (const part of parts) {
    const [, written, value] = tagSpec.exec(part) ?? [];
    if (written === undefined) list.malformed ??= part.replace(blanks, '');
    const [tag = '', content = ''] = written === undefined ? splitAtSign(part) : [written, value];
    if (tag === '') continue;
    const name = isAnyCase ? tag.toLowerCase() : tag;
    // The version of a DMARC record may have any case.
    if (tag !== tag.toLowerCase() && !(isAnyCase && name === 'v')) list.capitals.push(tag);
    if (list.tags.has(name)) list.duplicate ??= name;
    else list.tags.set(name, content.replace(blanks, ''));
  }
  return list;
}

/** What a malformed part was probably meant to be, so that advice can name more than that. */
function splitAtSign(part: string): string[] {
  const at = part.indexOf('=');
  return at === -1 ? [] : [part.slice(0, at).replace(blanks, ''), part.slice(at + 1)];
}

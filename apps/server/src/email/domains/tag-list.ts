export interface TagList {
  /** By name, in the order of the record; names and values without the blanks around them. */
  tags: Map<string, string>;
  /** The name of a tag that occurs twice, which makes the list invalid. */
  duplicate?: string;
  /** The first name with capital letters, which strict readers do not know; that of the version may have them. */
  capital?: string;
}

/**
 * Reads the tag list of a DKIM or DMARC record: RFC 6376 section 3.2. Names are read in any case, because receivers differ
 * in that; text without `=` is skipped.
 */
export function readTagList(text: string): TagList {
  const tags = new Map<string, string>();
  let duplicate: string | undefined;
  let capital: string | undefined;
  for (const entry of text.split(';')) {
    const at = entry.indexOf('=');
    if (at === -1) continue;
    const written = entry.slice(0, at).trim();
    const name = written.toLowerCase();
    if (name !== written && name !== 'v') capital ??= written;
    if (tags.has(name)) duplicate ??= name;
    else tags.set(name, entry.slice(at + 1).trim());
  }
  return {
    tags,
    ...(duplicate !== undefined && { duplicate }),
    ...(capital !== undefined && { capital }),
  };
}

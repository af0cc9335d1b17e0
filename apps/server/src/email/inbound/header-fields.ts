export type Fields = ReadonlyMap<string, string>;

/** @returns the fields of a block (RFC 5322, section 2.2), unfolded, by name in lower case; the first of each name */
export function readFields(block: string): Fields {
  const fields = new Map<string, string>();
  for (const line of block.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const [, name, value] = /^([\w-]{1,80})[ \t]*:(.*)$/.exec(line) ?? [];
    const key = name?.toLowerCase();
    if (key !== undefined && !fields.has(key)) fields.set(key, value!.trim());
  }
  return fields;
}

/**
 * Reads the bytes of a file that can be replaced between the lookup of its row and the reading: then those of the new one.
 * @param found  as `find` returned it
 * @returns undefined if the file is gone
 */
export async function readCurrent<F extends { bytes_id: string }>(
  found: F,
  find: () => Promise<F | undefined>,
  read: (file: F) => Promise<Buffer | undefined>,
): Promise<{ file: F; bytes: Buffer } | undefined> {
  const bytes = await read(found);
  if (bytes !== undefined) return { file: found, bytes };
  const next = await find();
  if (next === undefined || next.bytes_id === found.bytes_id) return undefined;
  const nextBytes = await read(next);
  return nextBytes && { file: next, bytes: nextBytes };
}

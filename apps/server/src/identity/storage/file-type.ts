/** A file type that is recognized by its first bytes. */
interface Signature {
  type: string;
  /** Position of `bytes` in the file. */
  offset: number;
  bytes: readonly number[];
}

const ascii = (text: string): number[] => [...Buffer.from(text)];

const signatures: readonly Signature[] = [
  { type: 'image/png', offset: 0, bytes: [0x89, ...ascii('PNG\r\n'), 0x1a, 0x0a] },
  { type: 'image/jpeg', offset: 0, bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', offset: 0, bytes: ascii('GIF8') },
  { type: 'image/webp', offset: 8, bytes: ascii('WEBP') },
  { type: 'image/avif', offset: 4, bytes: ascii('ftypavif') },
  { type: 'application/pdf', offset: 0, bytes: ascii('%PDF-') },
  { type: 'application/zip', offset: 0, bytes: [...ascii('PK'), 3, 4] },
];

/**
 * Detects the type of a file from its bytes; the type that the sender declares is ignored. SVG is recognized by the start of
 * its text. Everything else is `application/octet-stream`.
 */
export function detectFileType(bytes: Buffer): string {
  const found = signatures.find(({ offset, bytes: expected }) =>
    expected.every((byte, index) => bytes[offset + index] === byte),
  );
  if (found !== undefined) return found.type;
  return isSvg(bytes.subarray(0, 1_000).toString('utf8')) ? 'image/svg+xml' : 'application/octet-stream';
}

/** A comment ends only at its first `-->`: with two ways to match a run of comments, each comment would double the time. */
const isSvg = (start: string): boolean =>
  /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*(?:<!DOCTYPE svg[^>]*>\s*)?<svg[\s>]/i.test(
    start,
  );

/**
 * @returns the slug of a title: NFC, lower case, trimmed, special characters removed, runs of spaces, dashes and underscores
 * replaced by one dash, no dash at either end. Empty if the title has neither letters nor digits.
 */
export const slugOf = (title: string): string =>
  title
    .normalize('NFC')
    .toLowerCase()
    .trim()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/[\s_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');

/**
 * The slug of a title: NFC, lower case, trimmed, special characters removed, runs of spaces, dashes and underscores made one
 * dash, none at either end.
 * @returns an empty text when the title has neither letter nor digit
 */
export const slugOf = (title: string): string =>
  title
    .normalize('NFC')
    .toLowerCase()
    .trim()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/[\s_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');

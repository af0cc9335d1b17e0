/**
 * The slug of a title: lower case, trimmed, special characters removed, runs of spaces, dashes and underscores made one
 * dash, none at either end.
 * @returns an empty text when the title has neither letter nor digit
 */
export const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .trim()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/[\s_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');

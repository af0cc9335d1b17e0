/**
 * The name of a template is the slug of its title: lower case, trimmed, special characters
 * removed, runs of spaces, dashes and underscores made one dash, none at either end.
 * @returns an empty text when the title has neither letter nor digit
 */
export const templateName = (title: string): string =>
  title
    .toLowerCase()
    .trim()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/[\s_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');

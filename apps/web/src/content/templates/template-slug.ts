/**
 * The short name of a template: lower case, special characters removed, runs of spaces, dashes and underscores
 * collapsed to one dash. For showing only; the server makes the one that counts.
 */
export function templateSlug(title: string): string {
  return title
    .toLowerCase()
    .trim()
    .replace(/[^\w\s-]/g, '')
    .replace(/[\s_-]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

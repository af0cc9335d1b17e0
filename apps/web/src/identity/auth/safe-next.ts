/**
 * The path to open after a sign-in: one of this origin, never another site.
 * @returns undefined for anything that a browser could resolve to another site: `//evil`, `https:`, and paths such as
 * `/.//evil`, which become `//evil` when resolved
 */
export function safeNext(next: unknown, origin = location.origin): string | undefined {
  if (typeof next !== 'string' || !next.startsWith('/') || !URL.canParse(next, origin)) return undefined;
  const url = new URL(next, origin);
  const path = url.pathname + url.search + url.hash;
  return url.origin === origin && url.username === '' && !path.startsWith('//') ? path : undefined;
}

/** Regions with a way of writing of their own, per language; the first is the language's own. */
export const regionsOf = {
  en: ['US', 'GB', 'IE', 'CA', 'AU', 'NZ', 'IN', 'ZA', 'DE', 'AT', 'CH', 'NL', 'SE'],
  de: ['DE', 'AT', 'CH', 'LI', 'LU', 'BE', 'IT'],
} as const;

/**
 * The locale that numbers and dates are written in: the language with the chosen region. A region that the language is
 * not written in counts as none; then the browser decides where it speaks the language (a Swiss reader of German gets
 * 1’234), else the language alone.
 * @param browser  the browser's languages, the preferred first
 */
export function formatLocale(
  language: string,
  region: string | undefined,
  browser: readonly string[],
): string {
  const regions: readonly string[] = language === 'de' ? regionsOf.de : regionsOf.en;
  if (region !== undefined && regions.includes(region)) return `${language}-${region}`;
  return browser.find((candidate) => candidate.toLowerCase().startsWith(language)) ?? language;
}

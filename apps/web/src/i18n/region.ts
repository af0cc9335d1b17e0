/** Regions with their own formats, by language; the first is the language's default. */
export const regionsOf = {
  en: ['US', 'GB', 'IE', 'CA', 'AU', 'NZ', 'IN', 'ZA', 'DE', 'AT', 'CH', 'NL', 'SE'],
  de: ['DE', 'AT', 'CH', 'LI', 'LU', 'BE', 'IT'],
} as const;

/**
 * @returns the locale for numbers and dates: the language with the chosen region. A region that the language has no formats
 * for is ignored. Without one, the browser's locale is used if it is in this language (a Swiss reader of German gets 1’234),
 * otherwise the language alone.
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

/**
 * @returns a function from ISO 3166-1 alpha-2 codes to country names; an unknown code is returned unchanged
 * @param locale  BCP 47, such as `de`
 */
export function countryNames(locale: string): (id: string) => string {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' });
  return (id) => names.of(id) ?? id;
}

/**
 * A function that says countries in a language.
 * @param locale  BCP 47, such as `de`
 * @returns from ISO 3166-1 alpha-2 to a name; a code nobody knows comes back as it is
 */
export function countryNames(locale: string): (id: string) => string {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' });
  return (id) => names.of(id) ?? id;
}

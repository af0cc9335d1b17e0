/** Normalizes text for a search, so that "cote" matches "Côte d’Ivoire". */
export const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .trim();

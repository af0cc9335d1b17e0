/** In characters: pictures are small, and a list contains many. */
const maxLength = 200_000;

/** @returns null if the HTML is empty or too long */
export const toPicture = (html: string): string | null =>
  html === '' || html.length > maxLength ? null : html;

/** In characters: a picture is small, and a list has many. */
const maxLength = 200_000;

/** @returns null where there is nothing to show, or too much of it */
export const toPicture = (html: string): string | null =>
  html === '' || html.length > maxLength ? null : html;

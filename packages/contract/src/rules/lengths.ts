/** In characters. */
export const maxNameLength = 120;
export const minPasswordLength = 8;
export const maxPasswordLength = 128;
/** Of a JSON body, in bytes: a text of one million characters, and what wraps it. */
export const maxJsonLength = 1_050_000;

/** In characters. */
export const maxNameLength = 120;
export const minPasswordLength = 8;
export const maxPasswordLength = 128;

/** In characters. */
export const maxNameLength = 120;
export const minPasswordLength = 8;
export const maxPasswordLength = 128;
/** Of a JSON body, in bytes: a text of one million characters, and what wraps it. */
export const maxJsonLength = 1_050_000;
/** Keys of all objects of a JSON body. */
export const maxBodyKeys = 1_000;
/** The same where a body may be a list of items. */
export const maxBatchKeys = 20_000;
/** Items that one request may create, change or delete. */
export const maxBatch = 500;
/** Entries of all lists of a JSON body, which may be long: a condition may name many values. */
export const maxBodyEntries = 10_000;

/**
 * Whether a text has at most that many Unicode characters, as PostgreSQL and JSON Schema count them: an emoji counts as one,
 * not two.
 */
export const hasAtMost = (max: number, text: string): boolean =>
  text.length <= max || (text.length <= 2 * max && countCharacters(text) <= max);

// oxlint-disable-next-line typescript/no-misused-spread -- characters are what is counted
export const countCharacters = (text: string): number => [...text].length;

/** Lengths in characters. */
export const maxNameLength = 120;
export const minPasswordLength = 8;
export const maxPasswordLength = 128;
/** Maximum size of a JSON body in bytes: a text of one million characters and its wrapper. */
export const maxJsonLength = 1_050_000;
/** Maximum number of keys in all objects of a JSON body. */
export const maxBodyKeys = 1_000;
/** Maximum number of keys where a body may be a list of items. */
export const maxBatchKeys = 20_000;
/** Maximum number of items that one request can create, change or delete. */
export const maxBatch = 500;
/** Maximum number of entries in all lists of a JSON body; lists may be long because a condition may contain many values. */
export const maxBodyEntries = 10_000;

/** Why an operator changed a status. */
export const maxReasonLength = 500;

/** Bounds of the days that single events and sessions of visitors of websites are kept. */
export const minWebsiteEventsDays = 30;
export const maxWebsiteEventsDays = 1_825;

/** Maximum number of content items that an email lists. */
export const maxListedItems = 20;

/** Maximum number of content items that are added to a queue at once: each is reviewed and compiled. */
export const maxQueuedItems = 20;

/** Maximum number of content items of one email that are confirmed again at once, for the same reason. */
export const maxConfirmedItems = 50;

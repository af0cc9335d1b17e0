/** What calls on items lack, in the words of the SDK of Directus, with which programs compare. */
export const itemErrors = {
  collection: 'Collection cannot be empty',
  key: 'Key cannot be empty',
  keys: 'Keys cannot be empty',
  keysOrQuery: 'keysOrQuery cannot be empty',
} as const;

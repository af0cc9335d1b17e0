/**
 * The visible collections that every organization starts with. They cannot be deleted because many defaults refer to them.
 */
export const startingCollections: readonly string[] = ['contacts', 'newsletters'];

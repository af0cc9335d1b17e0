/** What people see of the collections that every organization begins with. They stay: much starts from them. */
export const startingCollections: readonly string[] = ['contacts', 'newsletters'];

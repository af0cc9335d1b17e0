/** The ILIKE pattern of a partial search; what a person typed is taken literally, wildcards too. */
export const containsPattern = (search: string): string => `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;

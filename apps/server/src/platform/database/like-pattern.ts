/** @returns the ILIKE pattern of a substring search; wildcards in the input are matched literally */
export const containsPattern = (search: string): string => `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;

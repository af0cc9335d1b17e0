/** Emails that are counted of one audience, so that a list never reads all of an organization. */
export const maxCountedUses = 100;

/** Maximum number of emails counted per audience, so that a list never reads all emails of an organization. */
export const maxCountedUses = 100;

/** The languages of the product. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

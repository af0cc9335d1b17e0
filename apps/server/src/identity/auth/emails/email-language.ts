import { emailLanguages, type EmailLanguage } from '../../account-email/account-email.ts';

/**
 * @returns the language of emails for this request
 * @param requested  a preference, or the Accept-Language header; its first language counts
 */
export const languageOf = (requested: string | null | undefined): EmailLanguage =>
  emailLanguages.find((language) => requested?.trim().toLowerCase().startsWith(language)) ?? 'en';

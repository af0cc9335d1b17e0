import { emailLanguages, type EmailLanguage } from '../../account-email/account-email.ts';

/**
 * The language that mails are written in for this request.
 * @param requested a preference, or the header Accept-Language; the first named counts
 */
export const languageOf = (requested: string | null | undefined): EmailLanguage =>
  emailLanguages.find((language) => requested?.trim().toLowerCase().startsWith(language)) ?? 'en';

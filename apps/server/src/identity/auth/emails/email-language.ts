import { emailLanguages, type EmailLanguage } from '../../account-email/account-email.ts';

/**
 * The language that mails are written in for this wish.
 * @param wish a preference, or the header Accept-Language; the first named counts
 */
export const languageOf = (wish: string | null | undefined): EmailLanguage =>
  emailLanguages.find((language) => wish?.trim().toLowerCase().startsWith(language)) ?? 'en';

import type { SignUpForm } from '@reachout/contract/sign-up-forms.ts';

type Texts = Pick<SignUpForm, 'title' | 'consent_text'>;

/** The texts that a new form begins with, in its own language, which need not be that of the screen. */
export const firstTexts: Record<SignUpForm['language'], (brand: string) => Texts> = {
  en: (brand) => ({
    title: 'Sign up for our newsletter',
    consent_text: `I want to get emails from ${brand}. I can unsubscribe at any time with the link in each email.`,
  }),
  de: (brand) => ({
    title: 'Newsletter abonnieren',
    consent_text: `Ich möchte E-Mails von ${brand} erhalten. Ich kann mich jederzeit über den Link in jeder E-Mail abmelden.`,
  }),
};

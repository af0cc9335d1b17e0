import type { Brand } from '@reachout/contract/clients.ts';
import type { SignUpForm } from '@reachout/contract/sign-up-forms.ts';

type Texts = Pick<SignUpForm, 'title' | 'consent_text'>;

/** The texts that a new form begins with, in its own language, which need not be that of the screen. */
export const firstTexts: Record<SignUpForm['language'], (brand: Pick<Brand, 'name'>) => Texts> = {
  en: ({ name }) => ({
    title: 'Sign up for our newsletter',
    consent_text: `I want to get emails from ${name}. I can unsubscribe at any time with the link in each email.`,
  }),
  de: ({ name }) => ({
    title: 'Newsletter abonnieren',
    consent_text: `Ich möchte E-Mails von ${name} erhalten. Ich kann mich jederzeit über den Link in jeder E-Mail abmelden.`,
  }),
};

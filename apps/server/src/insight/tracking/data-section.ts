import type { Language } from '../public-pages/page-texts.ts';

const words: Record<Language, { title: string; link: string }> = {
  en: { title: 'Your data', link: 'Get a copy of your data, or have it erased' },
  de: { title: 'Ihre Daten', link: 'Kopie Ihrer Daten erhalten oder sie löschen lassen' },
};

/** The part of pages for recipients that leads to what they can ask about their own data (operations/data-requests). */
export const renderDataSection = (language: Language, token: string): string =>
  `<section><h2>${words[language].title}</h2><p><a href="../p/${token}/data?lang=${language}">${words[language].link}</a></p></section>`;

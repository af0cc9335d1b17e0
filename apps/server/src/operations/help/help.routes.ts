import type { Language } from '@reachout/contract/rules/languages.ts';
import { inTransactions, operations } from '../../identity/access/operations.ts';
import { idFrom } from '../../platform/ids.ts';
import { mergeCategories, mergePages } from './merge-help.ts';

export const helpRoutes = inTransactions(operations.help, {
  pages: async (trx, { locale: wanted }) =>
    (await mergePages(trx)).flatMap((page) => {
      const { text, language: locale } = chooseText(page, wanted);
      if (text === null) return [];
      const { title, content } = text;
      const { name, position } = page;
      return [{ id: idOf('page', name, locale), name, title, content, position, locale }];
    }),
  faqCategories: async (trx, { locale: wanted }) =>
    (await mergeCategories(trx)).flatMap(({ name: category, en, de, faqs }, index) => {
      const shown = faqs.flatMap((faq) => {
        const { text, language } = chooseText(faq, wanted);
        const { name, screens } = faq;
        return text === null
          ? []
          : [{ id: idOf('faq', `${category}/${name}`, language), name, screens, language, ...text }];
      });
      if (shown.length === 0) return [];
      const language = wanted === 'de' && de !== null ? ('de' as const) : ('en' as const);
      const id = idOf('category', category, language);
      return [
        { id, name: category, ...(language === 'de' ? de! : en), language, position: index + 1, faqs: shown },
      ];
    }),
});

const idOf = (kind: string, name: string, language: Language) => idFrom(`help ${kind} ${name} ${language}`);

/** @returns the published text in a language, otherwise the English one */
function chooseText<T extends { is_draft: boolean }>(
  texts: { en: T; de: T | null },
  wanted: Language,
): { text: T | null; language: Language } {
  const language = wanted === 'de' && texts.de?.is_draft === false ? 'de' : 'en';
  const text = texts[language];
  return { text: text?.is_draft === false ? text : null, language };
}

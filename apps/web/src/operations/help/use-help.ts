import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Language } from '@reachout/contract/rules/languages.ts';
import { helpQuery } from './help-queries.ts';

export const useLanguage = (): Language => useTranslation().i18n.language as Language;

/** The published help in the language of the page. */
export const useHelp = () => useQuery(helpQuery(useLanguage()));

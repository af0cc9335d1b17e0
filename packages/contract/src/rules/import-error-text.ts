import { importErrorsDe } from './import-errors-de.ts';
import { importErrors, type ImportError } from './import-errors.ts';

const texts = { en: importErrors, de: importErrorsDe };
export type ImportLanguage = keyof typeof texts;

/** @returns the error text in the language, with its number format */
export const describeImportError = ({ code, values }: ImportError, language: ImportLanguage = 'en'): string =>
  texts[language][code].replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return typeof value === 'number' ? new Intl.NumberFormat(language).format(value) : value;
  });

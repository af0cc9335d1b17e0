import type { FormatterModule } from 'i18next';
import { currentFormat } from './format.ts';

/** For `init`: every value passes through the formatter, even if a text specifies no format. */
export const interpolation = { escapeValue: false, alwaysFormat: true } as const;

/** Formats values in texts: numbers always follow the user's number format, 1,160 or 1.160. */
export const formatter: FormatterModule = {
  type: 'formatter',
  init: () => undefined,
  add: () => undefined,
  addCached: () => undefined,
  format: (value: unknown, format, language = 'en') => {
    if (typeof value === 'number') return currentFormat(language).number(value);
    // Other values are returned unchanged: the library converts them to text and reports missing ones.
    if (format === 'withinSentence') return withinSentence(String(value));
    return format === 'lowerCase' && language === 'en' ? lowerCase(String(value)) : (value as string);
  },
};

/** Converts "The campaigns", the start of a sentence, to "campaigns" for use within one. */
const withinSentence = (what: string): string =>
  what.replace(/^(The|Der|Die|Das) /, '').replace(/^(Your|This) /, (word) => word.toLowerCase());

/** Converts "Campaigns" to "campaigns", as within an English sentence, and keeps "API keys". */
const lowerCase = (what: string): string =>
  what.replace(/^\p{Lu}(?!\p{Lu})/u, (letter) => letter.toLowerCase());

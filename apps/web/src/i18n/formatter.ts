import type { FormatterModule } from 'i18next';
import { currentFormat } from './format.ts';

/** For `init`: every value goes through the formatter, also where a text names no format. */
export const interpolation = { escapeValue: false, alwaysFormat: true } as const;

/** How values get into texts: a number is written as the person wants numbers written, 1,160 or 1.160, wherever it stands. */
export const formatter: FormatterModule = {
  type: 'formatter',
  init: () => undefined,
  add: () => undefined,
  addCached: () => undefined,
  format: (value: unknown, format, language = 'en') => {
    if (typeof value === 'number') return currentFormat(language).number(value);
    // Anything else stays as it is: the library makes it a text, and reports what is missing.
    return format === 'withinSentence' ? withinSentence(String(value)) : (value as string);
  },
};

/** "The campaigns", as it starts a sentence, within one: "campaigns". */
const withinSentence = (what: string): string =>
  what.replace(/^(The|Der|Die|Das) /, '').replace(/^(Your|This) /, (word) => word.toLowerCase());

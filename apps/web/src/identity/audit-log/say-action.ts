import type { TFunction } from 'i18next';
import { auditLog } from '#web/i18n/en/audit-log.ts';
import { pageWords } from '#web/i18n/en/page-words.ts';
import { words } from '#web/i18n/en/words.ts';
import { isKey } from '#web/i18n/is-key.ts';

/**
 * Says what was done, in a sentence of the action or in its verb and its noun, which its name has: `clients.update`, or
 * `content.updateField`, which is said like `fields.update`. What belongs to a record (`clients.addresses.create`) is added.
 * @returns undefined for an action that is unknown to this release
 */
export function sayAction(t: TFunction<'settings'>, action: string): string | undefined {
  const path = action.split('.');
  const whole = path.join('_');
  if (isKey(auditLog.sentences, whole)) return t(`audit.sentences.${whole}`);
  const [, last = '', part = ''] = /^([a-z]+)(\w*)$/.exec(path.pop()!) ?? [];
  const verb = last === 'create' && path.length > 1 ? 'add' : last;
  const noun = part === '' ? path.join('_') : `${part.charAt(0).toLowerCase()}${part.slice(1)}s`;
  return isKey(auditLog.verbs, verb) && isKey(auditLog.nouns, noun)
    ? t(`audit.verbs.${verb}`, { what: t(`audit.nouns.${noun}`) })
    : undefined;
}

export const allWords = { ...words, ...pageWords };

/** @returns the shared word that a field is named by: `brand` for `brand_id`, `topics` for `topic_ids`; undefined if there is none */
export function wordOfField(field: string): keyof typeof allWords | undefined {
  const word = field
    .replace(/_ids$/, 's')
    .replace(/_id$/, '')
    .replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return isKey(allWords, word) ? word : undefined;
}

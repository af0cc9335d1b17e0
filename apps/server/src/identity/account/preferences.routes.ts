import type { Preferences } from '@reachout/contract/me.ts';
import { inTransaction, operations } from '../access/operations.ts';
import { apiError } from '../../platform/http/api-error.ts';
import { mergePreferences, replacePreferences } from '../auth/users/user.queries.ts';
import { getPreferences } from './preferences.queries.ts';

/** Maximum size of a user's preferences as JSON without whitespace. */
const maxBytes = 65_536;

export const preferencesRoutes = {
  preferences: inTransaction(operations.me.preferences, (trx, _input, context) =>
    getPreferences(trx, context.userId),
  ),
  replacePreferences: inTransaction(operations.me.replacePreferences, async (trx, input, context) => {
    const { set } = splitNulls(input.preferences);
    checkSize(set);
    await replacePreferences(trx, context.userId, set);
    return set;
  }),
  changePreferences: inTransaction(operations.me.changePreferences, async (trx, input, context) => {
    const merged = await mergePreferences(trx, context.userId, splitNulls(input.preferences));
    // An error rolls back what was just stored.
    checkSize(merged);
    return merged;
  }),
};

/** A null removes a preference. */
function splitNulls(preferences: Preferences): { set: Preferences; removed: string[] } {
  const entries = Object.entries(preferences);
  return {
    set: Object.fromEntries(entries.filter(([, value]) => value !== null)),
    removed: entries.filter(([, value]) => value === null).map(([key]) => key),
  };
}

function checkSize(preferences: Preferences): void {
  if (Buffer.byteLength(JSON.stringify(preferences)) > maxBytes) throw apiError('preferences_too_large');
}

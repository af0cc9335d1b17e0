import type { Preferences } from '@reachout/contract/me.ts';
import { apiError } from '../../platform/http/api-error.ts';
import { limitedTransaction } from '../access/limited-transaction.ts';
import { inTransaction, inTransactions, operations, type OperationContext } from '../access/operations.ts';
import { recordHandlers, restorableHandlers } from '../contact-details/contact-details.ts';
import { transactionAs, type Database, type Transaction } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { removeFilesOf } from '../storage/remove-files.ts';
import { eraseAccount, exportAccount, denyLastOwner, type EraseElsewhere } from './account-data.ts';
import { mergePreferences, replacePreferences, updateUser } from '../auth/users/user.queries.ts';
import { getUser, getPreferences } from './me.queries.ts';
import { isOperator } from '../operators/operators.ts';

const ownerOf = (_trx: Transaction, _input: unknown, { userId }: Pick<OperationContext, 'userId'>) =>
  ({ kind: 'user', user_id: userId }) as const;

const addresses = restorableHandlers('address', 'id', ownerOf);
const socials = recordHandlers('social', 'id', ownerOf);

/** The routes of `me` in the contract, except sign-in, sessions and invitations. */
export function createMeRoutes({
  authDb,
  files,
  eraseElsewhere,
  config: { operators },
}: {
  authDb: Database;
  files: FileStore;
  eraseElsewhere: EraseElsewhere;
  config: { operators: readonly string[] };
}) {
  const getMe = async (trx: Transaction, userId: string) => ({
    ...(await getUser(trx, userId)),
    is_operator: await isOperator(trx, userId, operators),
  });
  return {
    get: inTransaction(operations.me.get, (trx, _input, { userId }) => getMe(trx, userId)),
    update: inTransaction(operations.me.update, async (trx, input, context) => {
      if (Object.keys(input).length > 0) await updateUser(trx, context.userId, input);
      return await getMe(trx, context.userId);
    }),
    export: operations.me.export.handler(async ({ context: { userId } }) =>
      limitedTransaction(
        authDb,
        { userId },
        async (trx) => (await exportAccount(trx, await getUser(trx, userId))) as Record<string, never>,
        'expensive',
      ),
    ),
    delete: operations.me.delete.handler(async ({ context: { userId } }) => {
      const person = await transactionAs(authDb, { userId }, async (trx) => {
        const user = await getUser(trx, userId);
        await denyLastOwner(trx, user);
        await updateUser(trx, userId, { avatar_url: null });
        return user;
      });
      // Files first: while the account exists, a failure here can be retried.
      await removeFilesOf(files, { userId });
      await transactionAs(authDb, { userId }, (trx) => eraseAccount(trx, person, eraseElsewhere));
      return { id: userId };
    }),
    ...preferencesRoutes,

    addresses: inTransactions(operations.me.addresses, addresses),
    socials: inTransactions(operations.me.socials, socials),
  };
}

/** Maximum size of a user's preferences as JSON without whitespace. */
const maxBytes = 65_536;

const preferencesRoutes = {
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

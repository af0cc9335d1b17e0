import { operations } from '../access/operations.ts';
import { addresses, socials } from '../contact-details/contact-details.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { removeFilesOf } from '../images/remove-files.ts';
import { eraseAccount, exportAccount, denyLastOwner, type DeleteMessagesTo } from './account-data.ts';
import { updateAvatar, updateProfile } from '../auth/users/user.queries.ts';
import { getUser } from './me.queries.ts';
import { preferencesRoutes } from './preferences.routes.ts';

const ownerOf = (user_id: string) => ({ kind: 'user', user_id }) as const;

/** The contract's `me` without sign-in, sessions and invitations. */
export const createMeRoutes = ({
  files,
  deleteMessagesTo,
}: {
  files: FileStore;
  deleteMessagesTo: DeleteMessagesTo;
}) => ({
  get: operations.me.get.handler(({ context }) => context.transaction((trx) => getUser(trx, context.userId))),
  update: operations.me.update.handler(({ input, context }) =>
    context.transaction(async (trx) => {
      if (Object.keys(input).length > 0) await updateProfile(trx, context.userId, input);
      return await getUser(trx, context.userId);
    }),
  ),
  export: operations.me.export.handler(({ context }) =>
    context.transaction(
      async (trx) => (await exportAccount(trx, await getUser(trx, context.userId))) as Record<string, never>,
    ),
  ),
  delete: operations.me.delete.handler(async ({ context: { userId, transaction } }) => {
    const person = await transaction(async (trx) => {
      const user = await getUser(trx, userId);
      await denyLastOwner(trx, user);
      await updateAvatar(trx, userId, null);
      return user;
    });
    // Before the account: while there is one, whatever fails here can be tried again.
    await removeFilesOf(files, { userId });
    await transaction((trx) => eraseAccount(trx, person, deleteMessagesTo));
    return { id: userId };
  }),
  ...preferencesRoutes,

  addresses: {
    list: operations.me.addresses.list.handler(({ context }) =>
      context.transaction((trx) => addresses.list(trx, ownerOf(context.userId))),
    ),
    create: operations.me.addresses.create.handler(({ input, context }) =>
      context.transaction((trx) => addresses.add(trx, ownerOf(context.userId), input)),
    ),
    update: operations.me.addresses.update.handler(({ input: { id, ...changes }, context }) =>
      context.transaction((trx) => addresses.change(trx, ownerOf(context.userId), id, changes)),
    ),
    delete: operations.me.addresses.delete.handler(({ input, context }) =>
      context.transaction((trx) => addresses.remove(trx, ownerOf(context.userId), input.id)),
    ),
    restore: operations.me.addresses.restore.handler(({ input, context }) =>
      context.transaction((trx) => addresses.restore(trx, ownerOf(context.userId), input.id)),
    ),
  },
  socials: {
    list: operations.me.socials.list.handler(({ context }) =>
      context.transaction((trx) => socials.list(trx, ownerOf(context.userId))),
    ),
    create: operations.me.socials.create.handler(({ input, context }) =>
      context.transaction((trx) => socials.add(trx, ownerOf(context.userId), input)),
    ),
    update: operations.me.socials.update.handler(({ input: { id, ...changes }, context }) =>
      context.transaction((trx) => socials.change(trx, ownerOf(context.userId), id, changes)),
    ),
    delete: operations.me.socials.delete.handler(({ input, context }) =>
      context.transaction((trx) => socials.remove(trx, ownerOf(context.userId), input.id)),
    ),
  },
});

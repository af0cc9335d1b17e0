import { addresses, contactPersons, socials } from '../../identity/contact-details/contact-details.ts';
import { operations, type OperationContext } from '../../identity/access/operations.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { getClient } from './client.queries.ts';

/**
 * Whose records the operation is about. The audit log tells of a change of the client, and keeps nobody else's name.
 * @throws 404 unless the client is there and visible
 */
async function ownerOf(trx: Transaction, id: string, { note }: Pick<OperationContext, 'note'>) {
  const { organization_id, name } = await getClient(trx, id);
  note({ record_id: id, record_name: name });
  return { kind: 'client', organization_id, client_id: id } as const;
}

export const clientAddressRoutes = {
  list: operations.clients.addresses.list.handler(({ input, context }) =>
    context.transaction(async (trx) => addresses.list(trx, await ownerOf(trx, input.id, context))),
  ),
  create: operations.clients.addresses.create.handler(({ input: { id, ...input }, context }) =>
    context.transaction(async (trx) => addresses.add(trx, await ownerOf(trx, id, context), input)),
  ),
  update: operations.clients.addresses.update.handler(({ input: { id, address_id, ...changes }, context }) =>
    context.transaction(async (trx) =>
      addresses.change(trx, await ownerOf(trx, id, context), address_id, changes),
    ),
  ),
  delete: operations.clients.addresses.delete.handler(({ input: { id, address_id }, context }) =>
    context.transaction(async (trx) => addresses.remove(trx, await ownerOf(trx, id, context), address_id)),
  ),
  restore: operations.clients.addresses.restore.handler(({ input: { id, address_id }, context }) =>
    context.transaction(async (trx) => addresses.restore(trx, await ownerOf(trx, id, context), address_id)),
  ),
};

export const clientContactPersonRoutes = {
  list: operations.clients.contacts.list.handler(({ input, context }) =>
    context.transaction(async (trx) => contactPersons.list(trx, await ownerOf(trx, input.id, context))),
  ),
  create: operations.clients.contacts.create.handler(({ input: { id, ...input }, context }) =>
    context.transaction(async (trx) => contactPersons.add(trx, await ownerOf(trx, id, context), input)),
  ),
  update: operations.clients.contacts.update.handler(({ input: { id, contact_id, ...changes }, context }) =>
    context.transaction(async (trx) =>
      contactPersons.change(trx, await ownerOf(trx, id, context), contact_id, changes),
    ),
  ),
  delete: operations.clients.contacts.delete.handler(({ input: { id, contact_id }, context }) =>
    context.transaction(async (trx) =>
      contactPersons.remove(trx, await ownerOf(trx, id, context), contact_id),
    ),
  ),
  restore: operations.clients.contacts.restore.handler(({ input: { id, contact_id }, context }) =>
    context.transaction(async (trx) =>
      contactPersons.restore(trx, await ownerOf(trx, id, context), contact_id),
    ),
  ),
};

export const clientSocialRoutes = {
  list: operations.clients.socials.list.handler(({ input, context }) =>
    context.transaction(async (trx) => socials.list(trx, await ownerOf(trx, input.id, context))),
  ),
  create: operations.clients.socials.create.handler(({ input: { id, ...input }, context }) =>
    context.transaction(async (trx) => socials.add(trx, await ownerOf(trx, id, context), input)),
  ),
  update: operations.clients.socials.update.handler(({ input: { id, social_id, ...changes }, context }) =>
    context.transaction(async (trx) =>
      socials.change(trx, await ownerOf(trx, id, context), social_id, changes),
    ),
  ),
  delete: operations.clients.socials.delete.handler(({ input: { id, social_id }, context }) =>
    context.transaction(async (trx) => socials.remove(trx, await ownerOf(trx, id, context), social_id)),
  ),
};

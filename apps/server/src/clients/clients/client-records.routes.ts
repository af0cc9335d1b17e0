import { recordHandlers, restorableHandlers } from '../../identity/contact-details/contact-details.ts';
import { inTransaction, operations, type OperationContext } from '../../identity/access/operations.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { getClient } from './client.queries.ts';

/**
 * The client whose records the operation is about. The audit log records a change of the client, and no other name.
 * @throws 404 unless the client exists and is visible
 */
async function ownerOf(trx: Transaction, { id }: { id: string }, { note }: Pick<OperationContext, 'note'>) {
  const { organization_id, name } = await getClient(trx, id);
  note({ record_id: id, record_name: name });
  return { kind: 'client', organization_id, client_id: id } as const;
}

const addresses = restorableHandlers('address', 'address_id', ownerOf);
const contactPersons = restorableHandlers('contact', 'contact_id', ownerOf);
const socials = recordHandlers('social', 'social_id', ownerOf);

export const clientAddressRoutes = {
  list: inTransaction(operations.clients.addresses.list, addresses.list),
  create: inTransaction(operations.clients.addresses.create, addresses.create),
  update: inTransaction(operations.clients.addresses.update, addresses.update),
  delete: inTransaction(operations.clients.addresses.delete, addresses.delete),
  restore: inTransaction(operations.clients.addresses.restore, addresses.restore),
};

export const clientContactPersonRoutes = {
  list: inTransaction(operations.clients.contacts.list, contactPersons.list),
  create: inTransaction(operations.clients.contacts.create, contactPersons.create),
  update: inTransaction(operations.clients.contacts.update, contactPersons.update),
  delete: inTransaction(operations.clients.contacts.delete, contactPersons.delete),
  restore: inTransaction(operations.clients.contacts.restore, contactPersons.restore),
};

export const clientSocialRoutes = {
  list: inTransaction(operations.clients.socials.list, socials.list),
  create: inTransaction(operations.clients.socials.create, socials.create),
  update: inTransaction(operations.clients.socials.update, socials.update),
  delete: inTransaction(operations.clients.socials.delete, socials.delete),
};

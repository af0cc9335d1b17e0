import {
  inTransaction,
  inTransactions,
  operations,
  type OperationContext,
} from '../../identity/access/operations.ts';
import { recordHandlers, restorableHandlers } from '../../identity/contact-details/contact-details.ts';
import { denyWhileSending } from '../../identity/organizations/deny-while-sending.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { figureOrderScope, withFigures } from '../figures/figures.ts';
import { deleteClient, getClient, listClients, restoreClient, updateClient } from './client.queries.ts';
import { createClient } from './create-client.ts';

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

export const clientRoutes = {
  list: inTransaction(operations.clients.list, async (trx, input, context) => {
    const { items, count } = await listClients(trx, input, figureOrderScope(context, input.order));
    return { items: await withFigures(trx, context, 'client', items), count };
  }),
  create: inTransaction(operations.clients.create, (trx, input, context) =>
    createClient(trx, { organization_id: context.organizationId, name: input.name }),
  ),
  get: inTransaction(operations.clients.get, (trx, input) => getClient(trx, input.id)),
  update: inTransaction(operations.clients.update, async (trx, input) => {
    if (input.name !== undefined) await updateClient(trx, input.id, { name: input.name });
    return await getClient(trx, input.id);
  }),
  delete: inTransaction(operations.clients.delete, async (trx, input, context) => {
    context.note({ record_name: (await deleteClient(trx, input.id)).name });
    await denyWhileSending(trx, 'clients', input.id);
    return { id: input.id };
  }),
  restore: inTransaction(operations.clients.restore, async (trx, input) => {
    await restoreClient(trx, input.id);
    return await getClient(trx, input.id);
  }),
  addresses: inTransactions(operations.clients.addresses, addresses),
  contacts: inTransactions(operations.clients.contacts, contactPersons),
  socials: inTransactions(operations.clients.socials, socials),
};

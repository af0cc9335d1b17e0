import { inTransaction, operations, type OperationContext } from '../access/operations.ts';
import { restorableHandlers } from '../contact-details/contact-details.ts';
import type { Transaction } from '../../platform/database/database.ts';

/** The audit log records these as changes of the organization; it does not store whose address or contact it is. */
function ownerOf(_trx: Transaction, { id }: { id: string }, { note }: Pick<OperationContext, 'note'>) {
  note({ record_id: id, record_name: undefined });
  return { kind: 'organization', organization_id: id } as const;
}

const addresses = restorableHandlers('address', 'address_id', ownerOf);
const contactPersons = restorableHandlers('contact', 'contact_id', ownerOf);

export const organizationAddressRoutes = {
  list: inTransaction(operations.organizations.addresses.list, addresses.list),
  create: inTransaction(operations.organizations.addresses.create, addresses.create),
  update: inTransaction(operations.organizations.addresses.update, addresses.update),
  delete: inTransaction(operations.organizations.addresses.delete, addresses.delete),
  restore: inTransaction(operations.organizations.addresses.restore, addresses.restore),
};

export const organizationContactPersonRoutes = {
  list: inTransaction(operations.organizations.contacts.list, contactPersons.list),
  create: inTransaction(operations.organizations.contacts.create, contactPersons.create),
  update: inTransaction(operations.organizations.contacts.update, contactPersons.update),
  delete: inTransaction(operations.organizations.contacts.delete, contactPersons.delete),
  restore: inTransaction(operations.organizations.contacts.restore, contactPersons.restore),
};

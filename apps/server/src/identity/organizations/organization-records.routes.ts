import { operations } from '../access/operations.ts';
import { addresses, contactPersons } from '../contact-details/contact-details.ts';

const ownerOf = (organization_id: string) => ({ kind: 'organization', organization_id }) as const;

/** In the audit log these are changes of the organization; whose address or contact it is, it does not keep. */
const ofOrganization = (id: string) => ({ record_id: id, record_name: undefined });

export const organizationAddressRoutes = {
  list: operations.organizations.addresses.list.handler(({ input, context }) =>
    context.transaction((trx) => addresses.list(trx, ownerOf(input.id))),
  ),
  create: operations.organizations.addresses.create.handler(({ input: { id, ...input }, context }) => {
    context.note(ofOrganization(id));
    return context.transaction((trx) => addresses.add(trx, ownerOf(id), input));
  }),
  update: operations.organizations.addresses.update.handler(
    ({ input: { id, address_id, ...changes }, context }) => {
      context.note(ofOrganization(id));
      return context.transaction((trx) => addresses.change(trx, ownerOf(id), address_id, changes));
    },
  ),
  delete: operations.organizations.addresses.delete.handler(({ input: { id, address_id }, context }) => {
    context.note(ofOrganization(id));
    return context.transaction((trx) => addresses.remove(trx, ownerOf(id), address_id));
  }),
  restore: operations.organizations.addresses.restore.handler(({ input: { id, address_id }, context }) => {
    context.note(ofOrganization(id));
    return context.transaction((trx) => addresses.restore(trx, ownerOf(id), address_id));
  }),
};

export const organizationContactPersonRoutes = {
  list: operations.organizations.contacts.list.handler(({ input, context }) =>
    context.transaction((trx) => contactPersons.list(trx, ownerOf(input.id))),
  ),
  create: operations.organizations.contacts.create.handler(({ input: { id, ...input }, context }) => {
    context.note(ofOrganization(id));
    return context.transaction((trx) => contactPersons.add(trx, ownerOf(id), input));
  }),
  update: operations.organizations.contacts.update.handler(
    ({ input: { id, contact_id, ...changes }, context }) => {
      context.note(ofOrganization(id));
      return context.transaction((trx) => contactPersons.change(trx, ownerOf(id), contact_id, changes));
    },
  ),
  delete: operations.organizations.contacts.delete.handler(({ input: { id, contact_id }, context }) => {
    context.note(ofOrganization(id));
    return context.transaction((trx) => contactPersons.remove(trx, ownerOf(id), contact_id));
  }),
  restore: operations.organizations.contacts.restore.handler(({ input: { id, contact_id }, context }) => {
    context.note(ofOrganization(id));
    return context.transaction((trx) => contactPersons.restore(trx, ownerOf(id), contact_id));
  }),
};

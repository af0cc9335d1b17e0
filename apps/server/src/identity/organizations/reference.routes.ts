import { inTransaction, operations } from '../access/operations.ts';
import { listChoices, listOrganizationSizes } from './reference.queries.ts';

export const referenceRoutes = {
  countries: inTransaction(operations.reference.countries, (trx) => listChoices(trx, 'countries')),
  organizationSizes: inTransaction(operations.reference.organizationSizes, (trx) =>
    listOrganizationSizes(trx),
  ),
  organizationContactTypes: inTransaction(operations.reference.organizationContactTypes, (trx) =>
    listChoices(trx, 'organization_contact_types'),
  ),
  clientContactTypes: inTransaction(operations.reference.clientContactTypes, (trx) =>
    listChoices(trx, 'client_contact_types'),
  ),
};

import { inTransactions, operations } from '../access/operations.ts';
import { listChoices, listOrganizationSizes } from './organization.queries.ts';

export const referenceRoutes = inTransactions(operations.reference, {
  countries: (trx) => listChoices(trx, 'countries'),
  organizationSizes: (trx) => listOrganizationSizes(trx),
  organizationContactTypes: (trx) => listChoices(trx, 'organization_contact_types'),
  clientContactTypes: (trx) => listChoices(trx, 'client_contact_types'),
});

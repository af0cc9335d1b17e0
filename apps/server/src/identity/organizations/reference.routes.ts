import { operations } from '../access/operations.ts';
import { listChoices, listOrganizationSizes } from './reference.queries.ts';

export const referenceRoutes = {
  countries: operations.reference.countries.handler(({ context }) =>
    context.transaction((trx) => listChoices(trx, 'countries')),
  ),
  organizationSizes: operations.reference.organizationSizes.handler(({ context }) =>
    context.transaction(listOrganizationSizes),
  ),
  organizationContactTypes: operations.reference.organizationContactTypes.handler(({ context }) =>
    context.transaction((trx) => listChoices(trx, 'organization_contact_types')),
  ),
  clientContactTypes: operations.reference.clientContactTypes.handler(({ context }) =>
    context.transaction((trx) => listChoices(trx, 'client_contact_types')),
  ),
};

import { call } from '../access/operations.ts';
import { listChoices, listOrganizationSizes } from './reference.queries.ts';

export const referenceRoutes = {
  countries: call.reference.countries.handler(({ context }) =>
    context.transaction((trx) => listChoices(trx, 'countries')),
  ),
  organizationSizes: call.reference.organizationSizes.handler(({ context }) =>
    context.transaction(listOrganizationSizes),
  ),
  organizationContactTypes: call.reference.organizationContactTypes.handler(({ context }) =>
    context.transaction((trx) => listChoices(trx, 'organization_contact_types')),
  ),
  clientContactTypes: call.reference.clientContactTypes.handler(({ context }) =>
    context.transaction((trx) => listChoices(trx, 'client_contact_types')),
  ),
};

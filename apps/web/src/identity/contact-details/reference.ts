import { api } from '#web/platform/api.ts';

const forever = { staleTime: Number.POSITIVE_INFINITY };

// Lists shared by all organizations; they only change with releases.
export const countriesQuery = api.reference.countries.queryOptions(forever);
export const organizationSizesQuery = api.reference.organizationSizes.queryOptions(forever);
export const organizationContactTypesQuery = api.reference.organizationContactTypes.queryOptions(forever);
export const clientContactTypesQuery = api.reference.clientContactTypes.queryOptions(forever);

import { api } from '#web/platform/api.ts';
import { contactDetails } from '#web/i18n/en/contact-details.ts';

const forever = { staleTime: Number.POSITIVE_INFINITY };

// Lists that everybody shares; they change with releases only.
export const countriesQuery = api.reference.countries.queryOptions(forever);
export const organizationSizesQuery = api.reference.organizationSizes.queryOptions(forever);
export const organizationContactTypesQuery = api.reference.organizationContactTypes.queryOptions(forever);
export const clientContactTypesQuery = api.reference.clientContactTypes.queryOptions(forever);

type KnownType = keyof typeof contactDetails.contactTypes;
export const isKnownContactType = (id: string): id is KnownType =>
  Object.hasOwn(contactDetails.contactTypes, id);

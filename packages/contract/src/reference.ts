import { z } from 'zod';
import { publicOperations } from './operation.ts';

/** One option of a list shared by all organizations; the screens translate it by its id. */
export const Choice = z.object({ id: z.string(), name: z.string() });
export type Choice = z.infer<typeof Choice>;

const forAnybody = publicOperations('Reference lists');
const lists = (path: `/${string}`, summary: string) =>
  forAnybody(`GET ${path}`, summary).output(z.array(Choice));

export const reference = {
  countries: lists('/countries', 'Countries, by ISO 3166-1 alpha-2'),
  organizationSizes: lists('/organization_sizes', 'Sizes that an organization can name'),
  organizationContactTypes: lists('/organization_contact_types', 'What a contact of an organization is for'),
  clientContactTypes: lists('/client_contact_types', 'What a contact of a client is for'),
};

import { z } from 'zod';
import { BrandSummary } from './clients.ts';
import { apiErrors } from './errors.ts';
import { id } from './values.ts';

/** The owner of a new record: a brand implies its client, and without both the record is shared by all clients. */
export const ownerInput = {
  client_id: id.nullable().default(null),
  brand_id: id.nullable().default(null),
};

/** The new owner of an existing record; unchanged if both are omitted. */
export const ownerChanges = {
  client_id: id.nullable().optional(),
  brand_id: id.nullable().optional(),
};

/** For lists: records that this client or brand can use, which includes those shared by all clients. */
export const usableBy = { client_id: id.optional(), brand_id: id.optional() };

export const ownerFields = {
  client_id: id.nullable(),
  brand_id: id.nullable(),
  client: z.object({ id, name: z.string() }).nullable(),
  brand: BrandSummary.nullable(),
};

export const ownerInUse = {
  owner_in_use: {
    ...apiErrors.owner_in_use,
    data: z.object({
      /** Records that would lose access, at most 10; those outside the caller's access scope are counted but not named. */
      used_by: z.array(z.object({ kind: z.enum(['audience', 'email']), id, name: z.string() })),
      count: z.number(),
    }),
  },
} as const;

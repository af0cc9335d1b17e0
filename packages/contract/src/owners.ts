import { z } from 'zod';
import { BrandSummary } from './clients.ts';
import { apiErrors } from './errors.ts';
import { id } from './values.ts';

/** The owner of a record that is created: a brand stands for its client too, and with neither it is shared by all clients. */
export const ownerInput = {
  client_id: id.nullable().default(null),
  brand_id: id.nullable().default(null),
};

/** The owner of a record that is changed; it stays as it is without both. */
export const ownerChanges = {
  client_id: id.nullable().optional(),
  brand_id: id.nullable().optional(),
};

/** For lists: what this client or this brand can use, so what belongs to it and what all clients share. */
export const usableBy = { client_id: id.optional(), brand_id: id.optional() };

/** The owner as records tell it. */
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
      /** What could not use it any more, at most ten; beyond the access scope nothing is named. */
      used_by: z.array(z.object({ kind: z.enum(['audience', 'email']), id, name: z.string() })),
      count: z.number(),
    }),
  },
} as const;

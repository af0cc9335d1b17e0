import { z } from 'zod';
import { apiErrors } from './errors.ts';
import {
  addressOperations,
  contactPersonOperations,
  Social,
  SocialChanges,
  SocialInput,
} from './contact-details.ts';
import { memberOperation, tooManyRecords } from './operation.ts';
import { deleted, id, timestamp, list, name, order, paging, search } from './values.ts';

export const Client = z.object({
  id,
  organization_id: id,
  name: z.string(),
  logo_url: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Client = z.infer<typeof Client>;

export const Brand = z.object({
  id,
  organization_id: id,
  client_id: id,
  name: z.string(),
  logo_url: z.string().nullable(),
  error_content: z.string().nullable(),
  client: z.object({ id, name: z.string() }),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Brand = z.infer<typeof Brand>;

export const ClientWithBrands = z.object({
  client_id: id,
  client_name: z.string(),
  client_logo_url: z.string().nullable(),
  brands: z.array(z.object({ brand_id: id, brand_name: z.string(), brand_logo_url: z.string().nullable() })),
});
export type ClientWithBrands = z.infer<typeof ClientWithBrands>;

const nameOrder = order(['name', 'created_at', 'updated_at'], 'name.asc');
const inUse = {
  send_in_progress: apiErrors.send_in_progress,
} as const;

const clientOperation = { tag: 'Clients', tenant: 'clients' } as const;
const brandOperation = { tag: 'Brands', tenant: 'brands' } as const;

const contactDetails = {
  path: '/clients/{id}',
  whose: 'a client',
  read: ['read', 'Client'],
  change: ['update', 'Client'],
  ...clientOperation,
} as const;

export const clients = {
  list: memberOperation({
    method: 'GET',
    path: '/clients',
    summary: 'Clients',
    tag: 'Clients',
    permission: ['read', 'Client'],
    tenant: 'organization_id',
  })
    .input(z.strictObject({ organization_id: id, search, order: nameOrder, ...paging(10) }))
    .output(list(Client)),
  create: memberOperation({
    method: 'POST',
    path: '/clients',
    summary: 'Create a client',
    tag: 'Clients',
    permission: ['create', 'Client'],
    tenant: 'organization_id',
  })
    .input(z.strictObject({ organization_id: id, name }))
    .output(Client),
  get: memberOperation({
    method: 'GET',
    path: '/clients/{id}',
    summary: 'One client',
    permission: ['read', 'Client'],
    ...clientOperation,
  })
    .input(z.strictObject({ id }))
    .output(Client),
  update: memberOperation({
    method: 'PATCH',
    path: '/clients/{id}',
    summary: 'Rename a client',
    permission: ['update', 'Client'],
    ...clientOperation,
  })
    .input(z.strictObject({ id, name: name.optional() }))
    .output(Client),
  delete: memberOperation({
    method: 'DELETE',
    path: '/clients/{id}',
    summary: 'Delete a client',
    permission: ['delete', 'Client'],
    ...clientOperation,
  })
    .input(z.strictObject({ id }))
    .errors(inUse)
    .output(deleted),
  restore: memberOperation({
    method: 'POST',
    path: '/clients/{id}/restore',
    summary: 'Undo the deletion of a client',
    permission: ['delete', 'Client'],
    ...clientOperation,
  })
    .input(z.strictObject({ id }))
    .output(Client),

  addresses: addressOperations(contactDetails),
  contacts: contactPersonOperations(contactDetails),
  socials: {
    list: memberOperation({
      method: 'GET',
      path: '/clients/{id}/socials',
      summary: 'Links of a client',
      permission: ['read', 'Client'],
      ...clientOperation,
    })
      .input(z.strictObject({ id }))
      .output(list(Social)),
    create: memberOperation({
      method: 'POST',
      path: '/clients/{id}/socials',
      summary: 'Add a link to a client',
      permission: ['update', 'Client'],
      ...clientOperation,
    })
      .input(SocialInput.extend({ id }))
      .errors(tooManyRecords)
      .output(Social),
    update: memberOperation({
      method: 'PATCH',
      path: '/clients/{id}/socials/{social_id}',
      summary: 'Change a link of a client',
      permission: ['update', 'Client'],
      ...clientOperation,
    })
      .input(SocialChanges.extend({ id, social_id: id }))
      .output(Social),
    delete: memberOperation({
      method: 'DELETE',
      path: '/clients/{id}/socials/{social_id}',
      summary: 'Delete a link of a client',
      permission: ['update', 'Client'],
      ...clientOperation,
    })
      .input(z.strictObject({ id, social_id: id }))
      .output(deleted),
  },
};

export const brands = {
  list: memberOperation({
    method: 'GET',
    path: '/brands',
    summary: 'Brands',
    tag: 'Brands',
    permission: ['read', 'Brand'],
    tenant: 'organization_id',
  })
    .input(
      z.strictObject({
        organization_id: id,
        client_id: id.optional(),
        search,
        order: nameOrder,
        ...paging(10),
      }),
    )
    .output(list(Brand)),
  create: memberOperation({
    method: 'POST',
    path: '/brands',
    summary: 'Create a brand of a client',
    tag: 'Brands',
    permission: ['create', 'Brand'],
    tenant: 'organization_id',
  })
    .input(z.strictObject({ organization_id: id, client_id: id, name }))
    .output(Brand),
  get: memberOperation({
    method: 'GET',
    path: '/brands/{id}',
    summary: 'One brand',
    permission: ['read', 'Brand'],
    ...brandOperation,
  })
    .input(z.strictObject({ id }))
    .output(Brand),
  update: memberOperation({
    method: 'PATCH',
    path: '/brands/{id}',
    summary: 'Rename a brand',
    permission: ['update', 'Brand'],
    ...brandOperation,
  })
    .input(z.strictObject({ id, name: name.optional() }))
    .output(Brand),
  delete: memberOperation({
    method: 'DELETE',
    path: '/brands/{id}',
    summary: 'Delete a brand',
    permission: ['delete', 'Brand'],
    ...brandOperation,
  })
    .input(z.strictObject({ id }))
    .errors(inUse)
    .output(deleted),
  restore: memberOperation({
    method: 'POST',
    path: '/brands/{id}/restore',
    summary: 'Undo the deletion of a brand',
    permission: ['delete', 'Brand'],
    ...brandOperation,
  })
    .input(z.strictObject({ id }))
    .output(Brand),
};

export const clientsBrands = {
  list: memberOperation({
    method: 'GET',
    path: '/clients_brands',
    summary: 'Clients with their brands, searched together',
    tag: 'Clients',
    permission: ['read', 'Client'],
    additionalPermissions: [['read', 'Brand']],
    tenant: 'organization_id',
  })
    .input(z.strictObject({ organization_id: id, search, ...paging(100) }))
    .output(list(ClientWithBrands)),
};

import { z } from 'zod';
import { addressCalls, contactCalls, Social, SocialChanges, SocialInput } from './contact-details.ts';
import { memberCall, tooManyRecords } from './operation.ts';
import { deleted, id, instant, list, name, order, paging, search } from './values.ts';

export const Client = z.object({
  id,
  organization_id: id,
  name: z.string(),
  logo_url: z.string().nullable(),
  created_at: instant,
  updated_at: instant,
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
  created_at: instant,
  updated_at: instant,
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
  send_in_progress: {
    status: 409,
    message: 'Something beneath this is scheduled or being sent. Cancel that first.',
  },
} as const;

const clientCall = { tag: 'Clients', tenant: 'clients' } as const;
const brandCall = { tag: 'Brands', tenant: 'brands' } as const;

const book = {
  path: '/clients/{id}',
  whose: 'a client',
  read: ['read', 'Client'],
  change: ['update', 'Client'],
  ...clientCall,
} as const;

export const clients = {
  list: memberCall({
    method: 'GET',
    path: '/clients',
    summary: 'Clients',
    tag: 'Clients',
    needs: ['read', 'Client'],
    tenant: 'organization_id',
  })
    .input(z.strictObject({ organization_id: id, search, order: nameOrder, ...paging(10) }))
    .output(list(Client)),
  create: memberCall({
    method: 'POST',
    path: '/clients',
    summary: 'Create a client',
    tag: 'Clients',
    needs: ['create', 'Client'],
    tenant: 'organization_id',
  })
    .input(z.strictObject({ organization_id: id, name }))
    .output(Client),
  get: memberCall({
    method: 'GET',
    path: '/clients/{id}',
    summary: 'One client',
    needs: ['read', 'Client'],
    ...clientCall,
  })
    .input(z.strictObject({ id }))
    .output(Client),
  update: memberCall({
    method: 'PATCH',
    path: '/clients/{id}',
    summary: 'Rename a client',
    needs: ['update', 'Client'],
    ...clientCall,
  })
    .input(z.strictObject({ id, name: name.optional() }))
    .output(Client),
  delete: memberCall({
    method: 'DELETE',
    path: '/clients/{id}',
    summary: 'Delete a client',
    needs: ['delete', 'Client'],
    ...clientCall,
  })
    .input(z.strictObject({ id }))
    .errors(inUse)
    .output(deleted),
  restore: memberCall({
    method: 'POST',
    path: '/clients/{id}/restore',
    summary: 'Undo the deletion of a client',
    needs: ['delete', 'Client'],
    ...clientCall,
  })
    .input(z.strictObject({ id }))
    .output(Client),

  addresses: addressCalls(book),
  contacts: contactCalls(book),
  socials: {
    list: memberCall({
      method: 'GET',
      path: '/clients/{id}/socials',
      summary: 'Links of a client',
      needs: ['read', 'Client'],
      ...clientCall,
    })
      .input(z.strictObject({ id }))
      .output(list(Social)),
    create: memberCall({
      method: 'POST',
      path: '/clients/{id}/socials',
      summary: 'Add a link to a client',
      needs: ['update', 'Client'],
      ...clientCall,
    })
      .input(SocialInput.extend({ id }))
      .errors(tooManyRecords)
      .output(Social),
    update: memberCall({
      method: 'PATCH',
      path: '/clients/{id}/socials/{social_id}',
      summary: 'Change a link of a client',
      needs: ['update', 'Client'],
      ...clientCall,
    })
      .input(SocialChanges.extend({ id, social_id: id }))
      .output(Social),
    delete: memberCall({
      method: 'DELETE',
      path: '/clients/{id}/socials/{social_id}',
      summary: 'Delete a link of a client',
      needs: ['update', 'Client'],
      ...clientCall,
    })
      .input(z.strictObject({ id, social_id: id }))
      .output(deleted),
  },
};

export const brands = {
  list: memberCall({
    method: 'GET',
    path: '/brands',
    summary: 'Brands',
    tag: 'Brands',
    needs: ['read', 'Brand'],
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
  create: memberCall({
    method: 'POST',
    path: '/brands',
    summary: 'Create a brand of a client',
    tag: 'Brands',
    needs: ['create', 'Brand'],
    tenant: 'organization_id',
  })
    .input(z.strictObject({ organization_id: id, client_id: id, name }))
    .output(Brand),
  get: memberCall({
    method: 'GET',
    path: '/brands/{id}',
    summary: 'One brand',
    needs: ['read', 'Brand'],
    ...brandCall,
  })
    .input(z.strictObject({ id }))
    .output(Brand),
  update: memberCall({
    method: 'PATCH',
    path: '/brands/{id}',
    summary: 'Rename a brand',
    needs: ['update', 'Brand'],
    ...brandCall,
  })
    .input(z.strictObject({ id, name: name.optional() }))
    .output(Brand),
  delete: memberCall({
    method: 'DELETE',
    path: '/brands/{id}',
    summary: 'Delete a brand',
    needs: ['delete', 'Brand'],
    ...brandCall,
  })
    .input(z.strictObject({ id }))
    .errors(inUse)
    .output(deleted),
  restore: memberCall({
    method: 'POST',
    path: '/brands/{id}/restore',
    summary: 'Undo the deletion of a brand',
    needs: ['delete', 'Brand'],
    ...brandCall,
  })
    .input(z.strictObject({ id }))
    .output(Brand),
};

export const clientsBrands = {
  list: memberCall({
    method: 'GET',
    path: '/clients_brands',
    summary: 'Clients with their brands, searched together',
    tag: 'Clients',
    needs: ['read', 'Client'],
    alsoNeeds: [['read', 'Brand']],
    tenant: 'organization_id',
  })
    .input(z.strictObject({ organization_id: id, search, ...paging(100) }))
    .output(list(ClientWithBrands)),
};

import { z } from 'zod';
import { pickErrors } from './errors.ts';
import { brandColors } from './rules/brand-colors.ts';
import {
  addressOperations,
  contactPersonOperations,
  Social,
  SocialChanges,
  SocialInput,
} from './contact-details.ts';
import { listedFigures } from './figures.ts';
import { figureColumns } from './rules/figure-columns.ts';
import { memberOperations, tooManyRecords } from './operation.ts';
import { trackingPolicies } from './statuses.ts';
import {
  deleted,
  email,
  id,
  list,
  multiLine,
  name,
  optional,
  order,
  paging,
  searchPaging,
  search,
  singleLine,
  timeOfDay,
  timestamp,
  timeZone,
  webAddress,
} from './values.ts';

export const Client = z.object({
  id,
  organization_id: id,
  name: z.string(),
  logo_url: z.string().nullable(),
  /** Its links, oldest first. */
  client_socials: z.array(Social.pick({ id: true, network: true, url: true })),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Client = z.infer<typeof Client>;

/** How a brand is shown wherever something belongs to it. */
export const BrandSummary = z.object({
  id,
  name: z.string(),
  /** For light backgrounds; also for dark ones if there is no `dark_logo_url`. */
  logo_url: z.string().nullable(),
  dark_logo_url: z.string().nullable(),
  color: z.enum(brandColors),
});
export type BrandSummary = z.infer<typeof BrandSummary>;

/** A sender name. Mail programs would show an address inside it instead of the real one, so `@` is not allowed. */
export const senderName = singleLine(120).refine(
  (value) => !value.includes('@'),
  'A sender name can’t contain @.',
);
export const senderAddress = z.union([z.literal(''), email]);

/** The look and sender details of a brand's emails, except for the logos, which are uploaded separately. */
const BrandKit = z.strictObject({
  color: z.enum(brandColors),
  /** Defaults for new emails. If this is empty, the brand's name is used. */
  from_name: senderName,
  from_email: senderAddress,
  reply_to: optional(email),
  /** Multi-line plain text. */
  postal_address: multiLine(500),
  imprint: multiLine(2_000),
  imprint_url: optional(webAddress),
  /** Of the quiet hours of sends without a schedule; null: UTC. */
  time_zone: optional(timeZone),
  /** No message to an audience starts within these hours. Both or none. */
  quiet_hours_start: optional(timeOfDay),
  quiet_hours_end: optional(timeOfDay),
  tracking_policy: z.enum(trackingPolicies),
});

export const Brand = BrandSummary.extend({
  organization_id: id,
  client_id: id,
  from_name: z.string(),
  from_email: z.string(),
  reply_to: z.string().nullable(),
  postal_address: z.string(),
  imprint: z.string(),
  imprint_url: z.string().nullable(),
  time_zone: z.string().nullable(),
  quiet_hours_start: z.string().nullable(),
  quiet_hours_end: z.string().nullable(),
  tracking_policy: z.enum(trackingPolicies),
  error_content: z.string().nullable(),
  client: z.object({ id, name: z.string() }),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Brand = z.infer<typeof Brand>;

export const ListedClient = Client.extend(listedFigures);
export type ListedClient = z.infer<typeof ListedClient>;

export const ListedBrand = Brand.extend(listedFigures);
export type ListedBrand = z.infer<typeof ListedBrand>;

export const ClientWithBrands = z.object({
  client_id: id,
  client_name: z.string(),
  client_logo_url: z.string().nullable(),
  ...listedFigures,
  brands: z.array(
    z.object({
      brand_id: id,
      brand_name: z.string(),
      brand_logo_url: z.string().nullable(),
      brand_dark_logo_url: z.string().nullable(),
      brand_color: z.enum(brandColors),
      ...listedFigures,
    }),
  ),
});
export type ClientWithBrands = z.infer<typeof ClientWithBrands>;

const nameOrder = order(['name', 'created_at', 'updated_at', ...figureColumns], 'name.asc');

const clientsInOrganization = memberOperations('Clients', 'organization_id');
const onClient = memberOperations('Clients', 'clients');
const brandsInOrganization = memberOperations('Brands', 'organization_id');
const onBrand = memberOperations('Brands', 'brands');

const contactDetails = {
  path: '/clients/{id}',
  whose: 'a client',
  read: 'read Client',
  change: 'update Client',
  on: onClient,
} as const;

export const clients = {
  list: clientsInOrganization('GET /clients', 'Clients', 'read Client')
    // Without `page_size`: 100 for a search, 10 otherwise.
    .input({ search, order: nameOrder, ...searchPaging })
    .output(list(ListedClient)),
  create: clientsInOrganization('POST /clients', 'Create a client', 'create Client')
    .input({ name })
    .output(Client),
  get: onClient('GET /clients/{id}', 'One client', 'read Client').output(Client),
  update: onClient('PATCH /clients/{id}', 'Rename a client', 'update Client')
    .input({ name: name.optional() })
    .output(Client),
  delete: onClient('DELETE /clients/{id}', 'Delete a client', 'delete Client')
    .errors(pickErrors('send_in_progress'))
    .output(deleted),
  restore: onClient('POST /clients/{id}/restore', 'Undo the deletion of a client', 'delete Client').output(
    Client,
  ),

  addresses: addressOperations(contactDetails),
  contacts: contactPersonOperations(contactDetails),
  socials: {
    list: onClient('GET /clients/{id}/socials', 'Links of a client', 'read Client').output(list(Social)),
    create: onClient('POST /clients/{id}/socials', 'Add a link to a client', 'update Client')
      .input(SocialInput.extend({ id }))
      .errors(tooManyRecords)
      .output(Social),
    update: onClient('PATCH /clients/{id}/socials/{social_id}', 'Change a link of a client', 'update Client')
      .input(SocialChanges.extend({ id, social_id: id }))
      .output(Social),
    delete: onClient('DELETE /clients/{id}/socials/{social_id}', 'Delete a link of a client', 'update Client')
      .input({ social_id: id })
      .output(deleted),
  },
};

export const brands = {
  list: brandsInOrganization('GET /brands', 'Brands', 'read Brand')
    .input({
      client_id: id.optional(),
      search,
      order: nameOrder,
      ...paging(),
    })
    .output(list(ListedBrand)),
  create: brandsInOrganization('POST /brands', 'Create a brand of a client', 'create Brand')
    .input({
      client_id: id,
      name,
      tracking_policy: z.enum(trackingPolicies),
    })
    .output(Brand),
  get: onBrand('GET /brands/{id}', 'One brand', 'read Brand').output(Brand),
  update: onBrand('PATCH /brands/{id}', 'Change the name or the kit of a brand', 'update Brand')
    .input(BrandKit.partial().extend({ id, name: name.optional() }))
    .output(Brand),
  delete: onBrand('DELETE /brands/{id}', 'Delete a brand', 'delete Brand')
    .errors(pickErrors('send_in_progress'))
    .output(deleted),
  restore: onBrand('POST /brands/{id}/restore', 'Undo the deletion of a brand', 'delete Brand').output(Brand),
};

export const clientsBrands = {
  list: clientsInOrganization(
    'GET /clients_brands',
    'Clients with their brands, searched together',
    'read Client',
    { additionalPermissions: ['read Brand'] },
  )
    .input({
      client_id: id.optional(),
      search,
      order: order(['client_name', ...figureColumns], 'client_name.asc'),
      ...paging(100),
    })
    .output(list(ClientWithBrands)),
};

import { z } from 'zod';
import { countryId, email, id, instant, line, name, optional, phone, webAddress } from './values.ts';

// Addresses, contacts and links of people, organizations and clients: the same shapes everywhere.

const addressFields = {
  line1: line(200).min(1, 'Enter street and number.'),
  line2: optional(line(200)),
  postal_code: optional(line(20)),
  city: line(120).min(1, 'Enter a town.'),
  region: optional(line(120)),
  country_id: countryId,
};
export const AddressInput = z.strictObject({
  ...addressFields,
  line2: addressFields.line2.default(null),
  postal_code: addressFields.postal_code.default(null),
  region: addressFields.region.default(null),
});
export const AddressChanges = z.strictObject(addressFields).partial();
export const Address = z.object({
  id,
  line1: z.string(),
  line2: z.string().nullable(),
  postal_code: z.string().nullable(),
  city: z.string(),
  region: z.string().nullable(),
  country_id: z.string(),
  /** The country's name in English. */
  country: z.string(),
  created_at: instant,
  updated_at: instant,
});
export type Address = z.infer<typeof Address>;

const contactFields = {
  contact_type_id: z.string().max(40),
  full_name: name,
  email: optional(email),
  phone: optional(phone),
};
export const ContactInput = z.strictObject({
  ...contactFields,
  email: contactFields.email.default(null),
  phone: contactFields.phone.default(null),
});
export const ContactChanges = z.strictObject(contactFields).partial();
export const Contact = z.object({
  id,
  contact_type_id: z.string(),
  /** The type's name in English. */
  contact_type: z.string(),
  full_name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  created_at: instant,
  updated_at: instant,
});
export type Contact = z.infer<typeof Contact>;

export const socialNetworks = [
  'website',
  'linkedin',
  'instagram',
  'facebook',
  'x',
  'youtube',
  'tiktok',
  'xing',
  'mastodon',
  'github',
  'other',
] as const;
const socialFields = { network: z.enum(socialNetworks), url: webAddress };
export const SocialInput = z.strictObject(socialFields);
export const SocialChanges = z.strictObject(socialFields).partial();
export const Social = z.object({
  id,
  network: z.string(),
  url: z.string(),
  created_at: instant,
  updated_at: instant,
});
export type Social = z.infer<typeof Social>;

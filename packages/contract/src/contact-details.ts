import { z } from 'zod';
import { tooManyRecords, type memberOperations, type RequiredPermission } from './operation.ts';
import {
  countryId,
  deleted,
  email,
  id,
  timestamp,
  filledLine,
  singleLine,
  list,
  name,
  optional,
  phone,
  webAddress,
} from './values.ts';

// Addresses, contact persons and links of users, organizations and clients share these schemas.

const addressFields = {
  line1: filledLine(200, 'Enter street and number.'),
  line2: optional(singleLine(200)),
  postal_code: optional(singleLine(20)),
  city: filledLine(120, 'Enter a town.'),
  region: optional(singleLine(120)),
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
  created_at: timestamp,
  updated_at: timestamp,
});
export type Address = z.infer<typeof Address>;

const contactPersonFields = {
  contact_type_id: singleLine(40),
  full_name: name,
  email: optional(email),
  phone: optional(phone),
};
export const ContactPersonInput = z.strictObject({
  ...contactPersonFields,
  email: contactPersonFields.email.default(null),
  phone: contactPersonFields.phone.default(null),
});
export const ContactPersonChanges = z.strictObject(contactPersonFields).partial();
export const ContactPerson = z.object({
  id,
  contact_type_id: z.string(),
  /** The type's name in English. */
  contact_type: z.string(),
  full_name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type ContactPerson = z.infer<typeof ContactPerson>;

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
  created_at: timestamp,
  updated_at: timestamp,
});
export type Social = z.infer<typeof Social>;

/** The owner of the contact details: path prefix (`/clients/{id}`), noun ("a client"), permissions to read and to change. */
interface ContactDetailsOwner {
  path: `/${string}`;
  whose: string;
  on: ReturnType<typeof memberOperations<'organizations' | 'clients'>>;
  read: RequiredPermission;
  change: RequiredPermission;
}

export const addressOperations = ({ path, whose, read, change, on }: ContactDetailsOwner) => {
  const item = { address_id: id };
  const onePath = `${path}/addresses/{address_id}` as const;
  return {
    list: on(`GET ${path}/addresses`, `Addresses of ${whose}`, read).output(list(Address)),
    create: on(`POST ${path}/addresses`, `Add an address to ${whose}`, change)
      .input(AddressInput.shape)
      .errors(tooManyRecords)
      .output(Address),
    update: on(`PATCH ${onePath}`, `Change an address of ${whose}`, change)
      .input({ ...AddressChanges.shape, ...item })
      .output(Address),
    delete: on(`DELETE ${onePath}`, `Delete an address of ${whose}`, change).input(item).output(deleted),
    restore: on(`POST ${onePath}/restore`, 'Undo the deletion of an address', change)
      .input(item)
      .errors(tooManyRecords)
      .output(Address),
  };
};

export const contactPersonOperations = ({ path, whose, read, change, on }: ContactDetailsOwner) => {
  const item = { contact_id: id };
  const onePath = `${path}/contacts/{contact_id}` as const;
  return {
    list: on(`GET ${path}/contacts`, `Contacts of ${whose}`, read).output(list(ContactPerson)),
    create: on(`POST ${path}/contacts`, `Add a contact to ${whose}`, change)
      .input(ContactPersonInput.shape)
      .errors(tooManyRecords)
      .output(ContactPerson),
    update: on(`PATCH ${onePath}`, `Change a contact of ${whose}`, change)
      .input({ ...ContactPersonChanges.shape, ...item })
      .output(ContactPerson),
    delete: on(`DELETE ${onePath}`, `Delete a contact of ${whose}`, change).input(item).output(deleted),
    restore: on(`POST ${onePath}/restore`, 'Undo the deletion of a contact', change)
      .input(item)
      .errors(tooManyRecords)
      .output(ContactPerson),
  };
};

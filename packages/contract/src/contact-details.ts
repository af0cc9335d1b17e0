import { z } from 'zod';
import { memberOperation, tooManyRecords, type Permission, type TenantRecord } from './operation.ts';
import {
  countryId,
  deleted,
  email,
  id,
  timestamp,
  singleLine,
  list,
  name,
  optional,
  phone,
  webAddress,
} from './values.ts';

// Addresses, contacts and links of people, organizations and clients: the same shapes everywhere.

const addressFields = {
  line1: singleLine(200).min(1, 'Enter street and number.'),
  line2: optional(singleLine(200)),
  postal_code: optional(singleLine(20)),
  city: singleLine(120).min(1, 'Enter a town.'),
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

/** The owner of the contact details: `/clients/{id}`, "a client", and what reading and changing it need. */
interface ContactDetailsOwner {
  path: `/${string}`;
  whose: string;
  tag: string;
  tenant: TenantRecord;
  read: Permission;
  change: Permission;
}

const one = z.strictObject({ id });

export const addressOperations = ({ path, whose, tag, tenant, read, change }: ContactDetailsOwner) => {
  const recordOperation = { tag, tenant, permission: change };
  const item = z.strictObject({ id, address_id: id });
  return {
    list: memberOperation({
      method: 'GET',
      path: `${path}/addresses`,
      summary: `Addresses of ${whose}`,
      ...recordOperation,
      permission: read,
    })
      .input(one)
      .output(list(Address)),
    create: memberOperation({
      method: 'POST',
      path: `${path}/addresses`,
      summary: `Add an address to ${whose}`,
      ...recordOperation,
    })
      .input(AddressInput.extend({ id }))
      .errors(tooManyRecords)
      .output(Address),
    update: memberOperation({
      method: 'PATCH',
      path: `${path}/addresses/{address_id}`,
      summary: `Change an address of ${whose}`,
      ...recordOperation,
    })
      .input(AddressChanges.extend({ id, address_id: id }))
      .output(Address),
    delete: memberOperation({
      method: 'DELETE',
      path: `${path}/addresses/{address_id}`,
      summary: `Delete an address of ${whose}`,
      ...recordOperation,
    })
      .input(item)
      .output(deleted),
    restore: memberOperation({
      method: 'POST',
      path: `${path}/addresses/{address_id}/restore`,
      summary: 'Undo the deletion of an address',
      ...recordOperation,
    })
      .input(item)
      .errors(tooManyRecords)
      .output(Address),
  };
};

export const contactPersonOperations = ({ path, whose, tag, tenant, read, change }: ContactDetailsOwner) => {
  const recordOperation = { tag, tenant, permission: change };
  const item = z.strictObject({ id, contact_id: id });
  return {
    list: memberOperation({
      method: 'GET',
      path: `${path}/contacts`,
      summary: `Contacts of ${whose}`,
      ...recordOperation,
      permission: read,
    })
      .input(one)
      .output(list(ContactPerson)),
    create: memberOperation({
      method: 'POST',
      path: `${path}/contacts`,
      summary: `Add a contact to ${whose}`,
      ...recordOperation,
    })
      .input(ContactPersonInput.extend({ id }))
      .errors(tooManyRecords)
      .output(ContactPerson),
    update: memberOperation({
      method: 'PATCH',
      path: `${path}/contacts/{contact_id}`,
      summary: `Change a contact of ${whose}`,
      ...recordOperation,
    })
      .input(ContactPersonChanges.extend({ id, contact_id: id }))
      .output(ContactPerson),
    delete: memberOperation({
      method: 'DELETE',
      path: `${path}/contacts/{contact_id}`,
      summary: `Delete a contact of ${whose}`,
      ...recordOperation,
    })
      .input(item)
      .output(deleted),
    restore: memberOperation({
      method: 'POST',
      path: `${path}/contacts/{contact_id}/restore`,
      summary: 'Undo the deletion of a contact',
      ...recordOperation,
    })
      .input(item)
      .errors(tooManyRecords)
      .output(ContactPerson),
  };
};

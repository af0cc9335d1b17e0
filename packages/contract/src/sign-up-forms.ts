import { z } from 'zod';
import { backendFailed } from './content-backend.ts';
import { memberOperations, tooManyRecords } from './operation.ts';
import { quotaErrors } from './organizations.ts';
import { languages } from './rules/languages.ts';
import {
  collectionName,
  deleted,
  fieldName,
  filledLine,
  id,
  itemKey,
  list,
  multiLine,
  name,
  paging,
  timestamp,
} from './values.ts';

// Forms by which people sign up for mail of a brand: they confirm by mail, and what they confirmed is kept. The rules:
// docs/consent.md

export const maxSignUpFields = 20;
export const maxSignUpTopics = 20;
export const maxNetworkLimit = 10_000;

/** A field of the collection that the form asks for. The address is always asked for, and is not one of them. */
export const SignUpField = z.strictObject({
  name: fieldName,
  label: filledLine(120, 'Enter a name.'),
  is_required: z.boolean().default(false),
});
export type SignUpField = z.infer<typeof SignUpField>;

const unique = (values: readonly unknown[]): boolean => new Set(values).size === values.length;

// Mail programs make links of them, and the title is in mails to people who may never have asked for one.
const webAddress = /:\/\/|\bwww\.|[\p{L}\p{N}]\.\p{L}{2}/iu;

/**
 * Sign-ups from one network in an hour, for an event: people at a fair or in an office share a network. Null: the setting of the
 * installation.
 */
const networkLimit = z.int().min(1).max(maxNetworkLimit).nullable();

/** What a version fixes: a person agrees to exactly this. */
const texts = {
  fields: z
    .array(SignUpField)
    .max(maxSignUpFields, `Use at most ${maxSignUpFields} fields.`)
    .refine((fields) => unique(fields.map((field) => field.name)), 'Two fields are the same.'),
  /** Topics of the brand that the form offers, in this order. */
  topic_ids: z
    .array(id)
    .max(maxSignUpTopics, `Use at most ${maxSignUpTopics} topics.`)
    .refine(unique, 'Two topics are the same.'),
  /** Whether it asks to measure opens and clicks. */
  asks_tracking: z.boolean(),
  language: z.enum(languages),
  /** Of the page, and in the mail that asks to confirm. */
  title: filledLine(120, 'Enter a title.')
    .refine((title) => !webAddress.test(title.normalize('NFKC')), 'Use a title without web addresses.')
    .refine((title) => !/[\p{Cc}\p{Bidi_Control}]/u.test(title), 'Use a title without control characters.'),
  /** What a person agrees to. */
  consent_text: multiLine(2_000).refine((text) => text.trim() !== '', 'Say what a person agrees to.'),
};

export const SignUpForm = z.object({
  id,
  organization_id: id,
  brand_id: id,
  name: z.string(),
  collection: z.string(),
  fields: z.array(SignUpField),
  topic_ids: z.array(id),
  asks_tracking: z.boolean(),
  language: z.enum(languages),
  title: z.string(),
  consent_text: z.string(),
  /** From 1; the number of the newest version. */
  version: z.number(),
  /** An inactive form takes no sign-ups; what was requested before can still be confirmed. */
  is_active: z.boolean(),
  network_limit: networkLimit,
  /** Of the public page, and the target of a form on another website. */
  url: z.string(),
  /** Requested and not confirmed; kept for 30 days. */
  unconfirmed_count: z.number(),
  confirmed_count: z.number(),
  /** Confirmed, but the content backend has not taken the contact. */
  unwritten_count: z.number(),
  /** Those of them that are not written again; the others are, for about a day. */
  failed_count: z.number(),
  /** Why the newest of them was not taken, for people. */
  error_content: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type SignUpForm = z.infer<typeof SignUpForm>;

export const SignUpFormVersion = z.object({
  version: z.number(),
  fields: z.array(SignUpField),
  topic_ids: z.array(id),
  asks_tracking: z.boolean(),
  language: z.enum(languages),
  title: z.string(),
  consent_text: z.string(),
  created_at: timestamp,
  by: z.object({ id, full_name: z.string() }).nullable(),
});
export type SignUpFormVersion = z.infer<typeof SignUpFormVersion>;

/** The proof that a person has signed up. */
export const SignUp = z.object({
  id,
  form_id: id,
  /** Null if the form was deleted. */
  form_name: z.string().nullable(),
  brand: z.object({ id, name: z.string() }),
  /** As the person entered it. */
  address: z.string(),
  /** The text that the person agreed to. */
  version: z.number(),
  title: z.string(),
  consent_text: z.string(),
  language: z.enum(languages),
  /** By field. */
  field_values: z.record(z.string(), z.json()),
  /** The chosen topics, with their names at the time of the request. */
  topics: z.array(z.object({ id, name: z.string() })),
  /** Null if the form did not ask. */
  tracking_consent: z.boolean().nullable(),
  /** The page with the form, as its browser named it: host and path. */
  source_page: z.string().nullable(),
  requested_at: timestamp,
  /** Truncated: 24 bits of an IPv4 address, 48 bits of an IPv6 one. */
  requested_ip_prefix: z.string().nullable(),
  /** Null while it is not confirmed. */
  confirmed_at: timestamp.nullable(),
  confirmed_ip_prefix: z.string().nullable(),
});
export type SignUp = z.infer<typeof SignUp>;

const inOrganization = memberOperations('Sign-up forms', 'organization_id');
const onForm = memberOperations('Sign-up forms', 'sign_up_forms');
const ofContact = memberOperations('Consent', 'organization_id');
const contactPath = { collection: collectionName, key: itemKey };
const SignUps = z.object({ items: z.array(SignUp) });

export const signUpForms = {
  list: inOrganization('GET /sign_up_forms', 'Sign-up forms', 'read Consent')
    .input({ brand_id: id.optional(), ...paging() })
    .output(list(SignUpForm)),
  create: inOrganization('POST /sign_up_forms', 'Create a sign-up form of a brand', 'create Consent', {
    additionalPermissions: ['read Consent', 'read Content'],
  })
    .input({
      brand_id: id,
      name,
      /** Of contacts, and usable for the brand; it stays the same. */
      collection: collectionName,
      fields: texts.fields.default([]),
      topic_ids: texts.topic_ids.default([]),
      asks_tracking: texts.asks_tracking.default(false),
      language: texts.language,
      title: texts.title,
      consent_text: texts.consent_text,
      is_active: z.boolean().default(true),
      network_limit: networkLimit.default(null),
    })
    .errors({ ...tooManyRecords, ...quotaErrors })
    .output(SignUpForm),
  get: onForm('GET /sign_up_forms/{id}', 'One sign-up form', 'read Consent').output(SignUpForm),
  update: onForm(
    'PATCH /sign_up_forms/{id}',
    'Change a sign-up form; fields, topics, language and texts make a new version',
    'update Consent',
    { additionalPermissions: ['read Consent', 'read Content'] },
  )
    .input({
      name: name.optional(),
      is_active: z.boolean().optional(),
      network_limit: networkLimit.optional(),
      fields: texts.fields.optional(),
      topic_ids: texts.topic_ids.optional(),
      asks_tracking: texts.asks_tracking.optional(),
      language: texts.language.optional(),
      title: texts.title.optional(),
      consent_text: texts.consent_text.optional(),
    })
    .errors(quotaErrors)
    .output(SignUpForm),
  delete: onForm(
    'DELETE /sign_up_forms/{id}',
    'Delete a sign-up form; what people have confirmed is kept',
    'delete Consent',
  ).output(deleted),
  versions: onForm(
    'GET /sign_up_forms/{id}/versions',
    'The newest 100 versions of a sign-up form, the newest first',
    'read Consent',
  ).output({ items: z.array(SignUpFormVersion) }),
  proof: ofContact(
    'GET /content/{organization_id}/consent/{collection}/{key}/sign_ups',
    'What a contact has signed up for, as a proof: the newest 100, the newest first',
    'read Consent',
    { additionalPermissions: ['read Content'] },
  )
    .input(contactPath)
    .errors(backendFailed)
    .output(SignUps),
};

export const proofExport = ofContact(
  'GET /content/{organization_id}/consent/{collection}/{key}/sign_ups/export',
  'What a contact has signed up for, as a JSON file; the audit log records each download',
  'read Consent',
  { additionalPermissions: ['read Content'] },
)
  .input(contactPath)
  .errors(backendFailed)
  .output(SignUps);

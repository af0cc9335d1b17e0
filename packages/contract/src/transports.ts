import { z } from 'zod';
import { apiErrors, pickErrors } from './errors.ts';
import { memberOperations, tooManyRecords } from './operation.ts';
import {
  accessKeyIdPattern,
  envelopeSenders,
  hostPattern,
  regionPattern,
  smtpSecurities,
} from './rules/transports.ts';
import { documented, email, filledLine, id, secretText, singleLine, timestamp, token } from './values.ts';

/** Transports of an organization: its own mail server, or its account at a provider. */

export const maxTransports = 20;

const optionalLine = (max: number) =>
  singleLine(max)
    .transform((given) => (given === '' ? null : given))
    .nullable()
    .default(null);

const host = singleLine(253)
  .regex(hostPattern, 'Enter a host such as smtp.example.com.')
  .register(documented, { pattern: String.raw`^\s*[A-Za-z\d](?:[A-Za-z\d.:-]*[A-Za-z\d])?\s*$` });

const Smtp = z.strictObject({
  kind: z.literal('smtp'),
  host,
  port: z.int().min(1).max(65_535).default(587),
  security: z.enum(smtpSecurities).default('starttls'),
  username: optionalLine(200),
  envelope: z.enum(envelopeSenders).default('ours'),
});
const ElasticEmail = z.strictObject({ kind: z.literal('elastic_email') });
const Ses = z.strictObject({
  kind: z.literal('ses'),
  region: singleLine(30).regex(regionPattern, 'Enter a region such as eu-central-1.'),
  access_key_id: singleLine(128).regex(
    accessKeyIdPattern,
    'An access key id has 16 or more capital letters and digits.',
  ),
  configuration_set: optionalLine(64),
  topic_arn: optionalLine(256),
  tenant_name: optionalLine(64),
});
const settings = z.discriminatedUnion('kind', [Smtp, ElasticEmail, Ses]);

export const Transport = z.object({
  id,
  name: z.string(),
  settings: z.discriminatedUnion('kind', [
    z.object({ ...Smtp.shape, port: z.number(), username: z.string().nullable() }),
    z.object(ElasticEmail.shape),
    z.object({
      ...Ses.shape,
      configuration_set: z.string().nullable(),
      topic_arn: z.string().nullable(),
      tenant_name: z.string().nullable(),
    }),
  ]),
  has_secret: z.boolean(),
  /** Of a key; null for passwords. */
  last_four: z.string().nullable(),
  /** What the server or provider said when it was last checked or used; null while it works. */
  error_content: z.string().nullable(),
  checked_at: timestamp,
  limits: z.object({
    per_second: z.number().nullable(),
    per_day: z.number().nullable(),
    open_requests: z.number().nullable(),
    /** Messages that it takes until it is asked again; null without a limit for a day. */
    left_today: z.number().nullable(),
  }),
  /** Where the provider reports what became of messages; it contains a secret. Null for mail servers. */
  events_url: z.string().nullable(),
  has_webhook_secret: z.boolean(),
  /** Whether it sends for all brands without a choice. */
  is_default: z.boolean(),
  brands: z.array(z.object({ id, name: z.string() })),
});
export type Transport = z.infer<typeof Transport>;

export const Transports = z.object({
  items: z.array(Transport),
  /** The key of the organization's account at Elastic Email, of which only the last four characters are shown. */
  elastic_email_key: z.object({ last_four: z.string() }).nullable(),
  /** Brands that send by the transport of the installation although the organization has another one. */
  brands_of_installation: z.array(z.object({ id, name: z.string() })),
});
export type Transports = z.infer<typeof Transports>;

/** The server or provider could not be used: its own words. */
export const transportFailed = {
  transport_failed: { ...apiErrors.transport_failed, data: z.object({ message: z.string() }) },
} as const;

const onOrganization = memberOperations('Transports', 'organizations');
const path = '/organizations/{id}/transports';
const options = { requiresReauth: true } as const;
const withCheck = { ...options, manualTransaction: true } as const;

const name = filledLine(80, 'Enter a name.');
const secrets = {
  /** Password or secret access key. If omitted, the stored one is kept while server and account are the same. */
  secret: secretText.optional(),
  /** With which Elastic Email signs what it reports. Null removes it. */
  webhook_secret: token.nullable().optional(),
};

export const transports = {
  list: onOrganization(`GET ${path}`, 'Transports of an organization', 'update Organization').output(
    Transports,
  ),
  create: onOrganization(`POST ${path}`, 'Add a transport, after a check', 'update Organization', withCheck)
    .input({ name, settings, ...secrets })
    .errors({ ...transportFailed, ...tooManyRecords })
    .output(Transports),
  update: onOrganization(
    `PATCH ${path}/{transport_id}`,
    'Change a transport, after a check',
    'update Organization',
    withCheck,
  )
    .input({ transport_id: id, name: name.optional(), settings: settings.optional(), ...secrets })
    .errors(transportFailed)
    .output(Transports),
  delete: onOrganization(
    `DELETE ${path}/{transport_id}`,
    'Delete a transport that nothing uses',
    'update Organization',
    options,
  )
    .input({ transport_id: id })
    .errors(pickErrors('transport_in_use'))
    .output(Transports),
  check: onOrganization(`POST ${path}/{transport_id}/check`, 'Check a transport now', 'update Organization', {
    manualTransaction: true,
    auditEntries: 'daily',
  })
    .input({ transport_id: id })
    .output(Transports),
  test: onOrganization(
    `POST ${path}/{transport_id}/test`,
    'Send a test message to my address by a transport',
    'update Organization',
    withCheck,
  )
    .input({
      transport_id: id,
      /** The sender. */
      from: email,
    })
    .errors(transportFailed)
    /** The id that the server or provider gave the message. */
    .output({ reference: z.string().nullable() }),
  choose: onOrganization(
    `PUT ${path}/choice`,
    'Choose the transport of the organization, or of a brand',
    'update Organization',
    options,
  )
    .input({
      /** Null: for all brands without a choice. */
      brand_id: id.nullable(),
      /** Null: the transport of the installation. */
      transport_id: id.nullable(),
      /** Whether the brand sends by the transport of the organization again; `transport_id` is then null. */
      is_inherited: z.boolean().default(false),
    })
    .output(Transports),
  setElasticEmailKey: onOrganization(
    'PUT /organizations/{id}/elastic_email_key',
    'Set or replace the key of the account at Elastic Email, after a check',
    'update Organization',
    withCheck,
  )
    .input({ api_key: token })
    .errors(transportFailed)
    .output(Transports),
  deleteElasticEmailKey: onOrganization(
    'DELETE /organizations/{id}/elastic_email_key',
    'Forget the key of the account at Elastic Email',
    'update Organization',
    options,
  )
    .errors(pickErrors('transport_in_use'))
    .output(Transports),
};

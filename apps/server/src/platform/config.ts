import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { parseS3Url } from './s3-address.ts';

export const processRoles = ['api', 'tracking', 'worker'] as const;
export type ProcessRole = (typeof processRoles)[number];

const port = z.coerce.number().int().min(0).max(65_535);
const webAddress = z
  .url({ protocol: /^https?$/, error: 'must be a web address such as https://reachout.example' })
  // Everything is served from the root of an origin, and the origin is what requests are compared with.
  .refine((address) => {
    // What is no address at all has been named above.
    if (!URL.canParse(address)) return true;
    const { origin, href } = new URL(address);
    return href === `${origin}/`;
  }, 'must be an origin without path, query and password, such as https://reachout.example');
const databaseAddress = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must look like postgres://user:password@host/name',
});

const splitList = (value: string): string[] =>
  value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

const Environment = z.object({
  PORT: port.default(3000),
  /** The address to listen on; only this machine unless told otherwise. */
  HOST: z.string().min(1).default('127.0.0.1'),
  /** Where people and mail programs reach this installation; default: this machine. */
  PUBLIC_URL: webAddress.optional(),
  /** Logs in as the owner of the database, who migrates it. Default: the embedded PostgreSQL in DATA_DIR. */
  DATABASE_URL: databaseAddress.optional(),
  /** Logs in as the restricted role `reachout_app`. Default: DATABASE_URL with a password derived from SECRET_KEY. */
  DATABASE_APP_URL: databaseAddress.optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  /** Keys from before a change of SECRET_KEY, separated by commas: what they encrypted stays readable. */
  PREVIOUS_SECRET_KEYS: z.string().default('').transform(splitList),
  /** Addresses or networks of the proxies before this server, separated by commas; only they name the sender. */
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform(splitList)
    .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'must be addresses or networks'))),
  ROLES: z
    .string()
    .default(processRoles.join(','))
    .transform((value) => value.split(',').map((role) => role.trim()))
    .pipe(z.array(z.enum(processRoles)).min(1)),
  /** The mail server that delivers; default: the built-in mailbox, which keeps all mail on this machine. */
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must look like smtp://user:password@host:587' }).optional(),
  /** Where uploaded images are kept; default: DATA_DIR/files. */
  S3_URL: z
    .string()
    .refine(
      (text) => parseS3Url(text) !== undefined,
      'must look like s3://key:secret@host/bucket?region=eu-central-1 (s3+http:// without TLS), with key and secret percent-encoded',
    )
    .optional(),
  /** Connections that one worker opens to the mail server. */
  SMTP_CONNECTIONS: z.coerce.number().int().min(1).max(200).default(16),
  /** Port of the built-in mailbox's SMTP server on the loopback interface; 0 picks a free one. */
  MAILBOX_SMTP_PORT: port.default(0),
  /**
   * How many messages of one worker may be under way without a stored outcome. A killed worker leaves at most this
   * many uncertain (docs/sending.md). Sends that go on at the same time share it, and each needs one at least.
   */
  SEND_WINDOW: z.coerce.number().int().min(8).max(1_000).default(64),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

export interface Config {
  port: number;
  host: string;
  publicUrl: string;
  databaseUrl: string | undefined;
  databaseAppUrl: string | undefined;
  dataDir: string;
  secretKey: string;
  previousSecretKeys: string[];
  trustedProxies: string[];
  roles: ProcessRole[];
  smtpUrl: string | undefined;
  s3Url: string | undefined;
  smtpConnections: number;
  mailboxSmtpPort: number;
  sendWindow: number;
  logLevel: z.infer<typeof Environment>['LOG_LEVEL'];
}

/** A setting that cannot be used; the message names each one and says what would be right. */
export class InvalidConfig extends Error {}

/**
 * Reads the settings from the environment (api.md, "Configuration").
 * @throws InvalidConfig
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  // An empty variable means the same as none: that is what `PORT= npm start` and compose files give.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = Environment.safeParse(given);
  if (!result.success) {
    const problems = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new InvalidConfig(`These settings cannot be used:\n${problems.join('\n')}`);
  }
  const settings = result.data;
  const dataDir = resolve(settings.DATA_DIR);
  return {
    port: settings.PORT,
    host: settings.HOST,
    publicUrl: (settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`).replace(/\/+$/, ''),
    databaseUrl: settings.DATABASE_URL,
    databaseAppUrl: settings.DATABASE_APP_URL,
    dataDir,
    secretKey: settings.SECRET_KEY === undefined ? storedSecret(dataDir) : checkSecret(settings.SECRET_KEY),
    previousSecretKeys: settings.PREVIOUS_SECRET_KEYS,
    trustedProxies: settings.TRUSTED_PROXIES,
    roles: settings.ROLES,
    smtpUrl: settings.SMTP_URL,
    s3Url: settings.S3_URL,
    smtpConnections: settings.SMTP_CONNECTIONS,
    mailboxSmtpPort: settings.MAILBOX_SMTP_PORT,
    sendWindow: settings.SEND_WINDOW,
    logLevel: settings.LOG_LEVEL,
  };
}

/** A key of its own for each purpose, so that what one signs or opens is worthless for another (SEC-1). */
export const deriveKey = (secretKey: string, purpose: string): Buffer =>
  createHmac('sha256', secretKey).update(`reachout/${purpose}`).digest();

/** Without SECRET_KEY a random one is made at the first start, readable by its owner alone (SEC-3). */
function storedSecret(dataDir: string): string {
  const file = join(dataDir, 'secret-key');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (!existsSync(file)) {
    // Written aside and then named: nobody ever reads half a key, and of several starting processes one wins.
    const aside = `${file}.${process.pid}`;
    writeFileSync(aside, randomBytes(48).toString('base64url'), { mode: 0o600 });
    try {
      linkSync(aside, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(aside);
    }
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length < 32) {
    throw new InvalidConfig(
      `The secret key in ${file} is damaged. Bring it back from a backup: links in messages that were sent are signed with it. Without one, delete the file; a new key is made then.`,
    );
  }
  return secret;
}

function checkSecret(secret: string): string {
  const distinct = new Set(secret).size;
  if (secret.length < 32 || distinct < 10 || /change.?me|placeholder|secret.?key|example/i.test(secret)) {
    throw new InvalidConfig(
      'These settings cannot be used:\n  SECRET_KEY: must be at least 32 random characters, not a placeholder (for example from: openssl rand -base64 48)',
    );
  }
  return secret;
}

/**
 * The origins of our own pages. A loopback address has several names for the same machine.
 * @param publicUrl as in PUBLIC_URL
 */
export function ownOrigins(publicUrl: string): string[] {
  const { origin, hostname, protocol, port: ownPort } = new URL(publicUrl);
  if (hostname !== 'localhost' && hostname !== '127.0.0.1') return [origin];
  return ['localhost', '127.0.0.1'].map(
    (name) => `${protocol}//${name}${ownPort === '' ? '' : `:${ownPort}`}`,
  );
}

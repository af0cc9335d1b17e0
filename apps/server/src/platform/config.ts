import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { domainToASCII } from 'node:url';
import { z } from 'zod';
import { parseS3Url } from './files/s3-address.ts';
import { isLoopback } from './loopback.ts';

const processRoles = ['api', 'tracking', 'worker'] as const;
type ProcessRole = (typeof processRoles)[number];

const signUps = ['open', 'invited', 'closed'] as const;
/** Who may have a new account: everybody, people who were invited, nobody. */
export type SignUp = (typeof signUps)[number];

const port = z.coerce.number().int().min(0).max(65_535);
const webAddress = z
  .url({ protocol: /^https?$/, error: 'must be a web address such as https://reachout.example' })
  // Everything is served from the root of an origin, and the origin is what requests are compared with.
  .refine((address) => {
    // Invalid addresses were reported above.
    if (!URL.canParse(address)) return true;
    const { origin, href } = new URL(address);
    return href === `${origin}/`;
  }, 'must be an origin without path, query and password, such as https://reachout.example');
// An attacker who responds in place of the issuer can sign in as anybody: no plain http, except to this machine.
const issuerAddress = z
  .url({ protocol: /^https?$/, error: 'must be a web address such as https://login.example' })
  .refine(
    (address) =>
      !URL.canParse(address) ||
      new URL(address).protocol === 'https:' ||
      isLoopback(new URL(address).hostname),
    'must begin with https://',
  );
const databaseAddress = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must look like postgres://user:password@host/name',
});

/** Below 300 a minute, the burst of ten seconds would be too small for one page of the web app. */
const requestRate = z.coerce.number().int().min(300).max(1_000_000);

/** What SEND_RATES limits: the installation, each of its tenants, and mail providers. */
const rateNames = [
  'all',
  'organization',
  'google',
  'outlook',
  'microsoft_365',
  'yahoo',
  'gmx',
  't_online',
  'icloud',
  'other',
] as const;
/** Messages a minute of all workers together; what is missing has no limit. */
export type SendRates = Partial<Record<(typeof rateNames)[number], number>>;

const optionalText = z.string().min(1).optional();

const splitList = (value: string): string[] =>
  value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** Converts a domain to lower-case A-labels, the form in which domains of addresses are compared. */
const domain = z
  .string()
  .transform((name) => domainToASCII(name))
  .pipe(
    z
      .string()
      .regex(
        /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]*$/,
        'must be domains such as news.example.org',
      ),
  );

const privateHost = z.string().refine((text) => {
  const url = URL.parse(`http://${text}`);
  // The parser leaves out the default port.
  return url !== null && (url.host === text.toLowerCase() || `${url.host}:80` === text.toLowerCase());
}, 'must be hosts such as cms.internal or 10.0.0.5:8055');

const Environment = z.object({
  PORT: port.default(3000),
  /** The address to listen on; only this machine unless told otherwise. */
  HOST: z.string().min(1).default('127.0.0.1'),
  /** Where people and mail programs reach this installation; default: this machine. */
  PUBLIC_URL: webAddress.optional(),
  /** Allows http:// for a PUBLIC_URL that is not this machine: what people type can then be read on the way. */
  ALLOW_INSECURE_HTTP: z.enum(['true', 'false']).default('false'),
  /** Who may have a new account. Default: everybody; with SMTP_URL only who was invited. */
  SIGN_UP: z.enum(signUps).optional(),
  /** Logs in as the owner of the database, who migrates it. Default: the embedded PostgreSQL in DATA_DIR. */
  DATABASE_URL: databaseAddress.optional(),
  /** Logs in as the restricted role `reachout_app`. Default: DATABASE_URL with a password derived from SECRET_KEY. */
  DATABASE_APP_URL: databaseAddress.optional(),
  /** The same for the role `reachout_auth`, which sign-in needs. */
  DATABASE_AUTH_URL: databaseAddress.optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  /** Keys from before a change of SECRET_KEY, separated by commas: what they encrypted, hashed and signed holds. */
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
  /** Addresses of the people who run the installation, separated by commas: they see its background jobs. */
  OPERATORS: z
    .string()
    .default('')
    .transform((value) => splitList(value.toLowerCase()))
    .pipe(z.array(z.email('must be addresses, separated by commas'))),
  /** Sender of the server's own email, such as sign-in codes. Default: `reachout@` the host of PUBLIC_URL. */
  MAIL_FROM: z
    .string()
    .max(254)
    .regex(
      /^[\w!#$%&'*+/=?^`{|}~.-]{1,64}@[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i,
      'must be a plain address such as reachout@example.org',
    )
    .optional(),
  /**
   * Domains that senders may use once a mail server delivers, separated by commas: exactly these, none below them.
   * None of them: nothing can be sent.
   */
  SENDER_DOMAINS: z.string().default('').transform(splitList).pipe(z.array(domain)),
  /** Host in the envelope sender of messages, which gets returned mail. Default: the host of PUBLIC_URL. */
  BOUNCE_DOMAIN: domain.optional(),
  /**
   * Hosts in private networks that addresses typed by people may name, `host` or `host:port`, separated by commas. Without them
   * such an address leads to public servers only.
   */
  PRIVATE_HOSTS: z.string().default('').transform(splitList).pipe(z.array(privateHost)),
  /** Recipients of a tenant in 24 hours once a mail server delivers, unless the operator gave the tenant another limit. */
  DAILY_RECIPIENT_LIMIT: z.coerce.number().int().min(0).max(1_000_000_000).default(1_000),
  /** Connections that one worker opens to the mail server. */
  SMTP_CONNECTIONS: z.coerce.number().int().min(1).max(200).default(16),
  /** For `/live`, `/ready` and `/metrics`; without it they are nowhere. */
  HEALTH_PORT: port.optional(),
  /**
   * How many messages of one worker may be under way without a stored result. A killed worker leaves at most this
   * many uncertain (docs/sending.md). Sends that go on at the same time share it, and each needs one at least.
   */
  SEND_IN_FLIGHT_LIMIT: z.coerce.number().int().min(8).max(1_000).default(64),
  /** Messages a minute, such as `all=6000,google=1200`: see `rateNames`. Default: no limits. */
  SEND_RATES: z
    .string()
    .default('')
    .transform((text) =>
      Object.fromEntries(splitList(text).map((entry) => entry.split('=').map((part) => part.trim()))),
    )
    .pipe(
      z.partialRecord(
        z.enum(rateNames, `must name one of ${rateNames.join(', ')}`),
        z.coerce.number('must look like google=1200').int().min(1).max(100_000_000),
      ),
    ),
  /** Requests in a minute; ten seconds' worth may come at once. docs/security.md has the reasons. */
  RATE_LIMIT_PERSON: requestRate.default(1_800),
  RATE_LIMIT_ORGANIZATION: requestRate.default(3_600),
  RATE_LIMIT_NETWORK: requestRate.default(7_200),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Sign-in at any provider that speaks OpenID Connect; the issuer is where its discovery document is found. */
  OAUTH_OIDC_ISSUER: issuerAddress.optional(),
  OAUTH_OIDC_CLIENT_ID: optionalText,
  OAUTH_OIDC_CLIENT_SECRET: optionalText,
  /** The label of its button. */
  OAUTH_OIDC_NAME: z.string().trim().min(1).max(40).default('OpenID Connect'),
  OAUTH_GOOGLE_CLIENT_ID: optionalText,
  OAUTH_GOOGLE_CLIENT_SECRET: optionalText,
  OAUTH_MICROSOFT_CLIENT_ID: optionalText,
  OAUTH_MICROSOFT_CLIENT_SECRET: optionalText,
  /** A tenant of Microsoft Entra by its id or domain; default: accounts of any. */
  OAUTH_MICROSOFT_TENANT: z
    .string()
    .regex(/^[\w.-]+$/, 'must be the id or a domain of a tenant')
    .default('common'),
  OAUTH_GITHUB_CLIENT_ID: optionalText,
  OAUTH_GITHUB_CLIENT_SECRET: optionalText,
});

/** Settings that belong together: one without the others is a mistake. */
const groups = [
  ['DATABASE_APP_URL', 'DATABASE_AUTH_URL'],
  ['OAUTH_OIDC_ISSUER', 'OAUTH_OIDC_CLIENT_ID', 'OAUTH_OIDC_CLIENT_SECRET'],
  ['OAUTH_GOOGLE_CLIENT_ID', 'OAUTH_GOOGLE_CLIENT_SECRET'],
  ['OAUTH_MICROSOFT_CLIENT_ID', 'OAUTH_MICROSOFT_CLIENT_SECRET'],
  ['OAUTH_GITHUB_CLIENT_ID', 'OAUTH_GITHUB_CLIENT_SECRET'],
] as const;

interface OAuthClient {
  clientId: string;
  clientSecret: string;
}

/** The providers that people may sign in with; those that are left out are not offered. */
export interface OAuthConfig {
  oidc?: OAuthClient & { issuer: string; name: string };
  google?: OAuthClient;
  microsoft?: OAuthClient & { tenant: string };
  github?: OAuthClient;
}

/** How the server logs in to its database; db/policies says what each role may see. */
export interface DatabaseLogins {
  /** As `reachout_app`: for operations of people, tracking and sends. */
  appUrl: string;
  /** As `reachout_auth`: for sign-in and account email, which act for nobody yet. */
  authUrl: string;
}

export interface Config {
  port: number;
  host: string;
  publicUrl: string;
  signUp: SignUp;
  databaseUrl: string | undefined;
  /** Undefined where the start migrates and derives them from DATABASE_URL. */
  databaseLogins: DatabaseLogins | undefined;
  dataDir: string;
  secretKey: string;
  previousSecretKeys: string[];
  trustedProxies: string[];
  roles: ProcessRole[];
  smtpUrl: string | undefined;
  s3Url: string | undefined;
  /** In lower case. */
  operators: string[];
  mailFrom: string;
  senderDomains: string[];
  bounceDomain: string;
  privateHosts: string[];
  dailyRecipientLimit: number;
  smtpConnections: number;
  /** Undefined where nobody asks. */
  healthPort: number | undefined;
  inFlightLimit: number;
  sendRates: SendRates;
  /** What one person, organization or network may ask one process for. */
  requestsPerMinute: { person: number; organization: number; network: number };
  logLevel: z.infer<typeof Environment>['LOG_LEVEL'];
  oauth: OAuthConfig;
}

/** A setting that cannot be used; the message names each one and says what would be right. */
export class InvalidConfig extends Error {}

/**
 * Reads the settings from the environment.
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
  checkGroups(settings);
  checkTransport(settings);
  const dataDir = resolve(settings.DATA_DIR);
  const publicUrl = (settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`).replace(/\/+$/, '');
  return {
    port: settings.PORT,
    host: settings.HOST,
    publicUrl,
    signUp: settings.SIGN_UP ?? (settings.SMTP_URL === undefined ? 'open' : 'invited'),
    databaseUrl: settings.DATABASE_URL,
    databaseLogins: readLogins(settings),
    dataDir,
    secretKey: settings.SECRET_KEY === undefined ? storedSecret(dataDir) : checkSecret(settings.SECRET_KEY),
    previousSecretKeys: settings.PREVIOUS_SECRET_KEYS,
    trustedProxies: settings.TRUSTED_PROXIES,
    roles: settings.ROLES,
    smtpUrl: settings.SMTP_URL,
    s3Url: settings.S3_URL,
    operators: settings.OPERATORS,
    mailFrom: settings.MAIL_FROM ?? `reachout@${mailHost(publicUrl)}`,
    senderDomains: settings.SENDER_DOMAINS,
    bounceDomain: settings.BOUNCE_DOMAIN ?? mailHost(publicUrl),
    privateHosts: settings.PRIVATE_HOSTS,
    dailyRecipientLimit: settings.DAILY_RECIPIENT_LIMIT,
    smtpConnections: settings.SMTP_CONNECTIONS,
    healthPort: settings.HEALTH_PORT,
    inFlightLimit: settings.SEND_IN_FLIGHT_LIMIT,
    sendRates: settings.SEND_RATES,
    requestsPerMinute: {
      person: settings.RATE_LIMIT_PERSON,
      organization: settings.RATE_LIMIT_ORGANIZATION,
      network: settings.RATE_LIMIT_NETWORK,
    },
    logLevel: settings.LOG_LEVEL,
    oauth: readOAuth(settings),
  };
}

function checkGroups(settings: z.infer<typeof Environment>): void {
  const problems = groups.flatMap((group) => {
    const given = group.find((name) => settings[name] !== undefined);
    if (given === undefined) return [];
    return group
      .filter((name) => settings[name] === undefined)
      .map((name) => `  ${name}: must be set too, since ${given} is`);
  });
  if (problems.length > 0) throw new InvalidConfig(`These settings cannot be used:\n${problems.join('\n')}`);
}

function readLogins({
  DATABASE_APP_URL: appUrl,
  DATABASE_AUTH_URL: authUrl,
}: z.infer<typeof Environment>): DatabaseLogins | undefined {
  return appUrl === undefined || authUrl === undefined ? undefined : { appUrl, authUrl };
}

/** Passwords and cookies cross no network in clear text, and all processes of a database have the same key. */
function checkTransport(settings: z.infer<typeof Environment>): void {
  const problems: string[] = [];
  const { protocol, hostname } = new URL(settings.PUBLIC_URL ?? 'http://localhost');
  if (protocol === 'http:' && !isLoopback(hostname) && settings.ALLOW_INSECURE_HTTP === 'false')
    problems.push(
      '  PUBLIC_URL: must begin with https://, because passwords and cookies would cross the network in clear text. ALLOW_INSECURE_HTTP=true allows that',
    );
  if (settings.DATABASE_URL !== undefined && settings.SECRET_KEY === undefined)
    problems.push(
      '  SECRET_KEY: must be set too, since DATABASE_URL is: all processes need the same key (for example from: openssl rand -base64 48)',
    );
  if (problems.length > 0) throw new InvalidConfig(`These settings cannot be used:\n${problems.join('\n')}`);
}

function readOAuth(settings: z.infer<typeof Environment>): OAuthConfig {
  const client = (id: string | undefined, secret: string | undefined): OAuthClient | undefined =>
    id === undefined || secret === undefined ? undefined : { clientId: id, clientSecret: secret };
  const oidc = client(settings.OAUTH_OIDC_CLIENT_ID, settings.OAUTH_OIDC_CLIENT_SECRET);
  const google = client(settings.OAUTH_GOOGLE_CLIENT_ID, settings.OAUTH_GOOGLE_CLIENT_SECRET);
  const microsoft = client(settings.OAUTH_MICROSOFT_CLIENT_ID, settings.OAUTH_MICROSOFT_CLIENT_SECRET);
  const github = client(settings.OAUTH_GITHUB_CLIENT_ID, settings.OAUTH_GITHUB_CLIENT_SECRET);
  const issuer = settings.OAUTH_OIDC_ISSUER;
  return {
    ...(oidc && issuer !== undefined && { oidc: { ...oidc, issuer, name: settings.OAUTH_OIDC_NAME } }),
    ...(google && { google }),
    ...(microsoft && { microsoft: { ...microsoft, tenant: settings.OAUTH_MICROSOFT_TENANT } }),
    ...(github && { github }),
  };
}

/** Mail programs reject addresses with an IPv6 host in brackets. */
function mailHost(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return hostname.startsWith('[') ? 'localhost' : hostname;
}

/** A separate key for each purpose: a signature or seal of one is not valid for another. */
export const deriveKey = (secretKey: string, purpose: string): Buffer =>
  createHmac('sha256', secretKey).update(`reachout/${purpose}`).digest();

/** Without SECRET_KEY a random one is made at the first start, readable by its owner alone. */
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
export function allowedOrigins(publicUrl: string): string[] {
  const { origin, hostname, protocol, port: ownPort } = new URL(publicUrl);
  if (hostname !== 'localhost' && hostname !== '127.0.0.1') return [origin];
  return ['localhost', '127.0.0.1'].map(
    (name) => `${protocol}//${name}${ownPort === '' ? '' : `:${ownPort}`}`,
  );
}

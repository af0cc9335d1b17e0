import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { parseS3Url } from './files/s3-address.ts';
import { invalidSettings } from './invalid-config.ts';
import { isLoopback } from './loopback.ts';
import { readSecretKey } from './secret-key.ts';
import {
  databaseAddress,
  issuerAddress,
  listenHost,
  listOf,
  mailDomain,
  mailSender,
  mailServer,
  port,
  publicAddress,
  readDomain,
  readMailAddress,
  readNameServer,
  readPrivateHost,
  readProxy,
  recordName,
  splitList,
  webOrigin,
  wholeNumber,
} from './setting-values.ts';

const processRoles = ['api', 'tracking', 'worker', 'inbound'] as const;

const signUps = ['open', 'invited', 'closed'] as const;
/** Who can create an account: anyone, invited people only, or no one. */
export type SignUp = (typeof signUps)[number];

/** Below 300 requests per minute, the ten-second burst would be too small for one page of the web app. */
const requestRate = wholeNumber(300, 1_000_000);

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
/** Messages per minute over all workers; a missing entry means no limit. */
export type SendRates = Partial<Record<(typeof rateNames)[number], number>>;

const optionalText = z.string().min(1).optional();

const Environment = z.object({
  PORT: port.default(3000),
  /** The address to listen on; loopback only by default. */
  HOST: listenHost.default('127.0.0.1'),
  /** URL at which people and mail programs reach this installation; default: this machine. */
  PUBLIC_URL: webOrigin.optional(),
  /** Allows http:// for a PUBLIC_URL that is not this machine: user input then crosses the network in clear text. */
  ALLOW_INSECURE_HTTP: z.enum(['true', 'false']).default('false'),
  /** Who can create an account. Default: anyone; with SMTP_URL, invited people only. */
  SIGN_UP: z.enum(signUps).optional(),
  /** Logs in as the database owner, who runs the migrations. Default: the embedded PostgreSQL in DATA_DIR. */
  DATABASE_URL: databaseAddress.optional(),
  /** Logs in as the restricted role `reachout_app`. Default: DATABASE_URL with a password derived from SECRET_KEY. */
  DATABASE_APP_URL: databaseAddress.optional(),
  /** The same for the role `reachout_auth`, which sign-in uses. */
  DATABASE_AUTH_URL: databaseAddress.optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  /** Earlier values of SECRET_KEY, comma-separated: what they encrypted, hashed or signed stays valid. */
  PREVIOUS_SECRET_KEYS: z
    .string()
    .default('')
    .transform(splitList)
    .pipe(z.array(z.string().min(32, 'must be earlier keys, each with at least 32 characters'))),
  /** Addresses or networks of the proxies in front of this server, comma-separated; only their forwarding headers count. */
  TRUSTED_PROXIES: listOf(readProxy, 'must be addresses or networks, and not all addresses').default([]),
  ROLES: z
    .string()
    .default(processRoles.join(','))
    .transform(splitList)
    .pipe(z.array(z.enum(processRoles)).min(1)),
  /** The mail server that delivers; default: the built-in mailbox, which keeps all mail on this machine. */
  SMTP_URL: mailServer.optional(),
  /** Where uploaded images are kept; default: DATA_DIR/files. */
  S3_URL: z
    .string()
    .refine(
      (text) => parseS3Url(text) !== undefined,
      'must look like s3://key:secret@host/bucket?region=eu-central-1 (s3+http:// without TLS), with key and secret percent-encoded',
    )
    .optional(),
  /** Email addresses of the people who run the installation, comma-separated: they see its background jobs, and set the status of
   * organizations and users. */
  OPERATORS: listOf(
    (text) => readMailAddress(text)?.toLowerCase(),
    'must be addresses, separated by commas',
  ).default([]),
  /** Sender of the server's own email, such as sign-in codes. Default: `reachout@` the host of PUBLIC_URL. */
  MAIL_FROM: mailSender.optional(),
  /**
   * Domains that every organization can send from when SMTP_URL is set, beside its verified sending domains;
   * comma-separated, without subdomains.
   */
  SENDER_DOMAINS: listOf(
    (text) => readDomain(text.replace(/^@/, '')),
    'must be domains such as news.example.org',
  ).default([]),
  /** Host in the envelope sender of messages, which receives returned mail. Default: the host of PUBLIC_URL. */
  BOUNCE_DOMAIN: mailDomain.optional(),
  /** Port on which returned mail is taken, by processes with the role `inbound`. Without it, returned mail is not read. */
  SMTP_IN_PORT: port.optional(),
  /** The address to listen on for it. Default: HOST. */
  SMTP_IN_HOST: listenHost.optional(),
  /** Files with certificate and key in PEM, so that mail servers can return mail over TLS. */
  SMTP_IN_CERT: optionalText,
  SMTP_IN_KEY: optionalText,
  /** Name whose SPF record lists the servers that send, for the records of sending domains. */
  SPF_INCLUDE: recordName.optional(),
  /** Address for the aggregate reports of DMARC, for the records of sending domains. */
  DMARC_REPORTS: publicAddress.optional(),
  /**
   * Hosts in private networks that user-supplied URLs may use, `host` or `host:port`, comma-separated. All other
   * hosts in such URLs must be public.
   */
  PRIVATE_HOSTS: listOf(readPrivateHost, 'must be hosts such as cms.internal or 10.0.0.5:8055').default([]),
  /** Resolvers for the checks of domains, comma-separated: `address` or `address:port`; two are asked. Default: those of the system. */
  DNS_SERVERS: listOf(readNameServer, 'must be addresses such as 9.9.9.9 or [2620:fe::fe]:53').default([]),
  /** Recipients per tenant in 24 hours when SMTP_URL is set, unless the operator gave the tenant its own limit. */
  DAILY_RECIPIENT_LIMIT: wholeNumber(0, 1_000_000_000).default(1_000),
  /** Sign-ups by one form in 24 hours: each sends a mail to an address that a stranger entered. */
  SIGN_UPS_PER_FORM: wholeNumber(0, 1_000_000).default(1_000),
  /** Sign-ups by one form from one network in an hour, unless the form has its own number, for example for an event. */
  SIGN_UPS_PER_NETWORK: wholeNumber(1, 10_000).default(20),
  /** Maximum connections of one worker to the mail server. */
  SMTP_CONNECTIONS: wholeNumber(1, 200).default(16),
  /** Port for `/live`, `/ready` and `/metrics`; without it they are not served. */
  HEALTH_PORT: port.optional(),
  /**
   * Maximum messages of one worker in flight without a stored result. A killed worker leaves at most this many
   * uncertain (docs/sending.md). Concurrent sends share the limit, and each needs at least one.
   */
  SEND_IN_FLIGHT_LIMIT: wholeNumber(8, 1_000).default(64),
  /** Messages per minute, such as `all=6000,google=1200`: see `rateNames`. Default: no limits. */
  SEND_RATES: z
    .string()
    .default('')
    .transform(splitList)
    .refine((entries) => {
      const names = entries.map((entry) => /^(\w+)\s*=[^=]+$/.exec(entry)?.[1]);
      return !names.includes(undefined) && new Set(names).size === names.length;
    }, 'must look like all=6000,google=1200, with each name once')
    .transform((entries) =>
      Object.fromEntries(entries.map((entry) => entry.split('=').map((part) => part.trim()))),
    )
    .pipe(
      z.partialRecord(
        z.enum(rateNames, `must name one of ${rateNames.join(', ')}`),
        wholeNumber(1, 100_000_000),
      ),
    ),
  /** Requests per minute; the burst is ten seconds' worth. docs/security.md gives the reasons. */
  RATE_LIMIT_PERSON: requestRate.default(1_800),
  RATE_LIMIT_ORGANIZATION: requestRate.default(3_600),
  RATE_LIMIT_NETWORK: requestRate.default(7_200),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Sign-in with any OpenID Connect provider; its discovery document is found below the issuer URL. */
  OAUTH_OIDC_ISSUER: issuerAddress.optional(),
  OAUTH_OIDC_CLIENT_ID: optionalText,
  OAUTH_OIDC_CLIENT_SECRET: optionalText,
  /** The label of the sign-in button. */
  OAUTH_OIDC_NAME: z.string().trim().min(1).max(40).default('OpenID Connect'),
  OAUTH_GOOGLE_CLIENT_ID: optionalText,
  OAUTH_GOOGLE_CLIENT_SECRET: optionalText,
  OAUTH_MICROSOFT_CLIENT_ID: optionalText,
  OAUTH_MICROSOFT_CLIENT_SECRET: optionalText,
  /** Microsoft Entra tenant, by id or domain; default: accounts of any tenant. */
  OAUTH_MICROSOFT_TENANT: z
    .string()
    .regex(/^[\w.-]+$/, 'must be the id or a domain of a tenant')
    .default('common'),
  OAUTH_GITHUB_CLIENT_ID: optionalText,
  OAUTH_GITHUB_CLIENT_SECRET: optionalText,
});

/** Settings that must be set together. */
const groups = [
  ['DATABASE_APP_URL', 'DATABASE_AUTH_URL'],
  ['SMTP_IN_CERT', 'SMTP_IN_KEY'],
  ['OAUTH_OIDC_ISSUER', 'OAUTH_OIDC_CLIENT_ID', 'OAUTH_OIDC_CLIENT_SECRET'],
  ['OAUTH_GOOGLE_CLIENT_ID', 'OAUTH_GOOGLE_CLIENT_SECRET'],
  ['OAUTH_MICROSOFT_CLIENT_ID', 'OAUTH_MICROSOFT_CLIENT_SECRET'],
  ['OAUTH_GITHUB_CLIENT_ID', 'OAUTH_GITHUB_CLIENT_SECRET'],
] as const;

interface OAuthClient {
  clientId: string;
  clientSecret: string;
}

/** The configured sign-in providers; the others are not offered. */
export interface OAuthConfig {
  oidc?: OAuthClient & { issuer: string; name: string };
  google?: OAuthClient;
  microsoft?: OAuthClient & { tenant: string };
  github?: OAuthClient;
}

/** How the server logs in to its database; db/policies defines what each role can see. */
export interface DatabaseLogins {
  /** As `reachout_app`: for operations of users, tracking and sends. */
  appUrl: string;
  /** As `reachout_auth`: for sign-in and account email, which run before a user is known. */
  authUrl: string;
}

/** Where returned mail is taken. */
export interface InboundConfig {
  host: string;
  port: number;
  certificate: { certFile: string; keyFile: string } | undefined;
}

export type Config = ReturnType<typeof readConfig>;

/**
 * Reads the settings from the environment.
 * @throws InvalidConfig
 */
export function readConfig(environment: Record<string, string | undefined>) {
  // An empty variable counts as unset: `PORT= npm start` and compose files produce empty ones. The key is used as it is,
  // because everything that was derived from it would be lost otherwise.
  const given = Object.fromEntries(
    Object.entries(environment)
      .map(([name, value]) => [name, name === 'SECRET_KEY' ? value : value?.trim()] as const)
      .filter(([, value]) => value !== ''),
  );
  const result = Environment.safeParse(given);
  if (!result.success) {
    throw invalidSettings(result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
  }
  const settings = result.data;
  checkGroups(settings);
  checkTransport(settings);
  checkPorts(settings);
  const dataDir = resolve(settings.DATA_DIR);
  const publicUrl = settings.PUBLIC_URL ?? new URL(`http://localhost:${settings.PORT}`).origin;
  const mailHost = findMailHost(publicUrl, settings);
  return {
    port: settings.PORT,
    host: settings.HOST,
    publicUrl,
    signUp: settings.SIGN_UP ?? (settings.SMTP_URL === undefined ? 'open' : 'invited'),
    databaseUrl: settings.DATABASE_URL,
    /** Undefined if the server migrates at startup and derives them from DATABASE_URL. */
    databaseLogins: readLogins(settings),
    dataDir,
    secretKey: readSecretKey(settings.SECRET_KEY, dataDir),
    previousSecretKeys: settings.PREVIOUS_SECRET_KEYS,
    trustedProxies: settings.TRUSTED_PROXIES,
    roles: settings.ROLES,
    smtpUrl: settings.SMTP_URL,
    s3Url: settings.S3_URL,
    /** In lower case. */
    operators: settings.OPERATORS,
    mailFrom: settings.MAIL_FROM ?? `reachout@${mailHost}`,
    senderDomains: settings.SENDER_DOMAINS,
    bounceDomain: settings.BOUNCE_DOMAIN ?? mailHost,
    /** Undefined if returned mail is not taken. */
    inbound: readInbound(settings),
    /** Undefined until the operator sets it: then SPF cannot be checked. */
    spfInclude: settings.SPF_INCLUDE,
    /** Undefined until the operator sets it: then DMARC cannot be checked. */
    dmarcReports: settings.DMARC_REPORTS,
    privateHosts: settings.PRIVATE_HOSTS,
    /** Empty for the resolvers of the system. */
    dnsServers: settings.DNS_SERVERS,
    dailyRecipientLimit: settings.DAILY_RECIPIENT_LIMIT,
    signUpsPerForm: settings.SIGN_UPS_PER_FORM,
    signUpsPerNetwork: settings.SIGN_UPS_PER_NETWORK,
    smtpConnections: settings.SMTP_CONNECTIONS,
    /** Undefined if health and metrics are not served. */
    healthPort: settings.HEALTH_PORT,
    inFlightLimit: settings.SEND_IN_FLIGHT_LIMIT,
    sendRates: settings.SEND_RATES,
    /** Request limits of one process for each person, organization and network. */
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
      .map((name) => `${name}: must be set too, since ${given} is`);
  });
  if (problems.length > 0) throw invalidSettings(problems);
}

const readLogins = ({
  DATABASE_APP_URL: appUrl,
  DATABASE_AUTH_URL: authUrl,
}: z.infer<typeof Environment>): DatabaseLogins | undefined =>
  appUrl === undefined || authUrl === undefined ? undefined : { appUrl, authUrl };

/** Rejects clear-text PUBLIC_URLs on a network, and a shared database without a shared SECRET_KEY. */
function checkTransport(settings: z.infer<typeof Environment>): void {
  const problems: string[] = [];
  const { protocol, hostname } = new URL(settings.PUBLIC_URL ?? 'http://localhost');
  if (protocol === 'http:' && !isLoopback(hostname) && settings.ALLOW_INSECURE_HTTP === 'false')
    problems.push(
      'PUBLIC_URL: must begin with https://, because passwords and cookies would cross the network in clear text. ALLOW_INSECURE_HTTP=true allows that',
    );
  if (settings.DATABASE_URL !== undefined && settings.SECRET_KEY === undefined)
    problems.push(
      'SECRET_KEY: must be set too, since DATABASE_URL is: all processes need the same key (for example from: openssl rand -base64 48)',
    );
  if (problems.length > 0) throw invalidSettings(problems);
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

function readInbound({
  SMTP_IN_PORT,
  SMTP_IN_HOST,
  SMTP_IN_CERT: certFile,
  SMTP_IN_KEY: keyFile,
  HOST,
}: z.infer<typeof Environment>): InboundConfig | undefined {
  if (SMTP_IN_PORT === undefined) return undefined;
  const certificate = certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile };
  return { port: SMTP_IN_PORT, host: SMTP_IN_HOST ?? HOST, certificate };
}

/** Ports of one process differ. One that only takes returned mail needs a port for it. */
function checkPorts({ PORT, HEALTH_PORT, SMTP_IN_PORT, ROLES }: z.infer<typeof Environment>): void {
  if (SMTP_IN_PORT === undefined && ROLES.every((role) => role === 'inbound'))
    throw invalidSettings(['SMTP_IN_PORT: must be set, since ROLES is inbound']);
  const used = [
    ['PORT', ROLES.some((role) => role === 'api' || role === 'tracking') ? PORT : 0],
    ['HEALTH_PORT', HEALTH_PORT ?? 0],
    ['SMTP_IN_PORT', ROLES.includes('inbound') ? (SMTP_IN_PORT ?? 0) : 0],
  ] as const;
  const problems = used.flatMap(([name, wanted], index) => {
    const other = used.slice(0, index).find(([, taken]) => wanted !== 0 && taken === wanted);
    return other === undefined ? [] : [`${name}: must not be the same as ${other[0]}`];
  });
  if (problems.length > 0) throw invalidSettings(problems);
}

/**
 * The host of PUBLIC_URL in addresses of email. Mail servers reject addresses at a bare IP address; on this machine,
 * `localhost` replaces it.
 */
function findMailHost(publicUrl: string, settings: z.infer<typeof Environment>): string {
  const { hostname } = new URL(publicUrl);
  if (!hostname.startsWith('[') && isIP(hostname) === 0) return hostname;
  const missing = (['MAIL_FROM', 'BOUNCE_DOMAIN'] as const).filter((name) => settings[name] === undefined);
  if (settings.SMTP_URL !== undefined && !isLoopback(hostname) && missing.length > 0)
    throw invalidSettings(
      missing.map((name) => `${name}: must be set too, since the host of PUBLIC_URL is an IP address`),
    );
  return 'localhost';
}

/**
 * The origins of our own pages. For a loopback host, these are all of its names.
 * @param publicUrl as in PUBLIC_URL
 */
export function allowedOrigins(publicUrl: string): string[] {
  const { origin, hostname, protocol, port: ownPort } = new URL(publicUrl);
  if (hostname !== 'localhost' && hostname !== '127.0.0.1') return [origin];
  return ['localhost', '127.0.0.1'].map(
    (name) => `${protocol}//${name}${ownPort === '' ? '' : `:${ownPort}`}`,
  );
}

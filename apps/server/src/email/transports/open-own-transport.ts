import { createSmtpPool } from '../smtp/smtp-pool.ts';
import { defaultTimeouts, parseServer, type SmtpServerOptions } from '../smtp/smtp-server.ts';
import { SmtpSession } from '../smtp/smtp-session.ts';
import { amazonSesProvider, checkAmazonSes, openAmazonSes } from './amazon-ses.ts';
import { checkElasticEmail, elasticEmailProvider } from './elastic-email.ts';
import { createElasticEmailClient, maxOpenRequests } from './elastic-email-client.ts';
import { createHttpTransport } from './http-transport.ts';
import {
  TransportCheckError,
  type OpenOptions,
  type OwnTransport,
  type OwnTransportOf,
  type ProviderLimits,
} from './own-transport.ts';
import { toWords, withoutSecrets } from './provider-words.ts';
import type { MailTransport, TransportResult } from './transport.ts';

/**
 * Opens the transport of an organization.
 * @throws OutboundFailure for a mail server whose address is not allowed; TransportCheckError for a region that does not exist
 */
export async function openOwnTransport(own: OwnTransport, options: OpenOptions): Promise<MailTransport> {
  const { connections } = options;
  if (isOf(own, 'smtp')) {
    const { url, ...server } = smtpServerOf(own, options);
    const pool = createSmtpPool({ url, ...server, connections, envelope: own.settings.envelope });
    return own.secret === null ? pool : cleaned(pool, own.secret);
  }
  if (isOf(own, 'ses'))
    return createHttpTransport(amazonSesProvider(await openAmazonSes(own, options), own), connections);
  const client = createElasticEmailClient(own, options);
  return createHttpTransport(
    elasticEmailProvider(client, own.secret),
    Math.min(connections, maxOpenRequests),
  );
}

/** A server may repeat in its replies what it was given. */
const cleaned = (pool: MailTransport, secret: string): MailTransport => ({
  capacity: pool.capacity,
  get usage() {
    return pool.usage;
  },
  async send(message) {
    const { result, settle } = await pool.send(message);
    const entries = Object.entries(result).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' && ['text', 'reason', 'reference'].includes(name)
        ? withoutSecrets(value, [secret])
        : value,
    ]);
    return { result: Object.fromEntries(entries) as TransportResult, settle };
  },
  close: () => pool.close(),
});

/**
 * Connects, signs in, and reads the limits of the account; nothing is sent.
 * @throws TransportCheckError
 */
export async function checkOwnTransport(own: OwnTransport, options: OpenOptions): Promise<ProviderLimits> {
  try {
    if (isOf(own, 'smtp')) return await checkSmtp(own, options);
    if (isOf(own, 'ses')) return await checkAmazonSes(await openAmazonSes(own, options), own);
    return await checkElasticEmail(createElasticEmailClient(own, options));
  } catch (error) {
    if (error instanceof TransportCheckError) throw error;
    const said = error instanceof Error ? error.message : String(error);
    throw new TransportCheckError(toWords(said, [own.secret]), { cause: error });
  }
}

const isOf = <K extends OwnTransport['settings']['kind']>(
  own: OwnTransport,
  kind: K,
): own is OwnTransportOf<K> => own.settings.kind === kind;

/** Connections to the server obey the rules for addresses that users give. @throws OutboundFailure */
function smtpServerOf(
  { settings, secret }: OwnTransportOf<'smtp'>,
  { outbound, endpoints }: OpenOptions,
): SmtpServerOptions & { url: string } {
  const { host, lookup } = outbound.socketTo(settings.host, settings.port);
  const scheme = settings.security === 'tls' ? 'smtps' : 'smtp';
  const signIn =
    settings.username === null
      ? ''
      : `${encodeURIComponent(settings.username)}:${encodeURIComponent(secret ?? '')}@`;
  const url = `${scheme}://${signIn}${host.includes(':') ? `[${host}]` : host}:${settings.port}`;
  const tls = endpoints?.smtpCa === undefined ? {} : { ca: endpoints.smtpCa };
  // On loopback, too, no password leaves in clear.
  return { url, lookup, tls, ...(settings.username !== null && { requireTls: true }) };
}

const checkMs = 30_000;

async function checkSmtp(own: OwnTransportOf<'smtp'>, options: OpenOptions): Promise<ProviderLimits> {
  const { url, ...server } = smtpServerOf(own, options);
  const session = new SmtpSession(parseServer(url, server), defaultTimeouts);
  const timer = setTimeout(() => session.destroy('The server took too long.'), checkMs);
  try {
    await session.open();
    await session.quit();
  } finally {
    clearTimeout(timer);
  }
  return { perSecond: null, perDay: null, sentToday: null, openRequests: null };
}

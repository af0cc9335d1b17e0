import { isIP, type LookupFunction } from 'node:net';
import { hostname } from 'node:os';
import type { ConnectionOptions } from 'node:tls';
import { cleanReplyText, type SmtpReply } from './smtp-reply.ts';

/** All in milliseconds. */
export interface SmtpTimeouts {
  /** Name look-up, TCP and TLS in total. Default 10,000. */
  connect: number;
  /** From a command to its reply; also for the greeting. Default 60,000. */
  command: number;
  /** From the end of the text to its reply. Default 600,000; a short one causes duplicates (RFC 5321 section 4.5.3.2.6). */
  endOfData: number;
  /** Idle time until QUIT. Default 30,000. */
  idle: number;
  /** Wait for a free text slot once the server is ready for the text. Default 30,000. */
  slot: number;
  /** How long a follower waits for the reply to the text before it, until another connection may take it. Default 1,000. */
  follower: number;
}

export const defaultTimeouts: SmtpTimeouts = {
  connect: 10_000,
  command: 60_000,
  endOfData: 600_000,
  idle: 30_000,
  slot: 30_000,
  follower: 1_000,
};

export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte (RFC 8314). */
  implicitTls: boolean;
  /** If true, nothing but EHLO and STARTTLS is sent before TLS. */
  requireTls: boolean;
  user: string | undefined;
  password: string | undefined;
  clientName: string;
  tls: Pick<ConnectionOptions, 'ca' | 'servername'>;
  /** Resolves the host; default: the system does. */
  lookup?: LookupFunction | undefined;
}

/** What can be set of a server beside its URL. */
export interface SmtpServerOptions {
  /** Default: required unless the relay is on loopback. True also requires STARTTLS of a loopback relay. */
  requireTls?: true;
  /** Name in EHLO. Default: this machine's name, if it is fully qualified. */
  clientName?: string;
  /** Additional trust settings, e.g. `ca` of a private relay. */
  tls?: SmtpServer['tls'] | undefined;
  lookup?: SmtpServer['lookup'];
}

/** The server cannot be used; the message is safe to store. */
export class SmtpConnectError extends Error {
  override name = 'SmtpConnectError';
}

export const rejectedBy = (what: string, reply: SmtpReply): SmtpConnectError =>
  new SmtpConnectError(`${what} rejected: ${reply.code} ${cleanReplyText(reply.text)}`);

export function tlsOptions({ host, tls }: SmtpServer): ConnectionOptions {
  // An IP address must not be sent as a server name (RFC 6066 section 3).
  return { minVersion: 'TLSv1.2', ...(isIP(host) === 0 ? { servername: host } : {}), ...tls };
}

/** @throws TypeError if the URL is not an smtp(s) address */
export function parseServer(address: string, options: SmtpServerOptions): SmtpServer {
  const url = URL.parse(address);
  if (url === null || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') {
    throw new TypeError('An SMTP relay is written as smtp://user:password@host:port or smtps://…');
  }
  const host = url.hostname.replaceAll(/^\[|\]$/g, '');
  const implicitTls = url.protocol === 'smtps:';
  return {
    host,
    port: Number(url.port) || (implicitTls ? 465 : 587),
    implicitTls,
    requireTls: !implicitTls && (options.requireTls === true || !isLoopback(host)),
    user: url.username === '' ? undefined : decodeURIComponent(url.username),
    password: url.username === '' ? undefined : decodeURIComponent(url.password),
    clientName: options.clientName ?? defaultClientName(),
    tls: options.tls ?? {},
    lookup: options.lookup,
  };
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);

/** RFC 5321 section 4.1.4: a fully qualified name, otherwise an address literal. */
function defaultClientName(): string {
  const name = hostname();
  return /^[a-z\d-]+(?:\.[a-z\d-]+)+$/i.test(name) ? name : '[127.0.0.1]';
}

import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { cleanReplyText, type SmtpReply } from './smtp-reply.ts';

/** All in milliseconds. */
export interface SmtpTimeouts {
  /** Name look-up, TCP and TLS together. Default 10,000. */
  connect: number;
  /** From a command to its reply, greeting included. Default 60,000. */
  command: number;
  /** From the final dot to its reply. Default 300,000; a short one makes duplicates (RFC 5321 section 4.5.3.2.6). */
  endOfData: number;
  /** Without work until QUIT. Default 30,000. */
  idle: number;
}

export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte (RFC 8314). */
  implicitTls: boolean;
  /** Without TLS nothing but EHLO is said. */
  requireTls: boolean;
  user: string | undefined;
  password: string | undefined;
  clientName: string;
  tls: Pick<ConnectionOptions, 'ca' | 'servername'>;
}

/** The server cannot be used as it is; `reason` is safe to store. */
export class SmtpConnectError extends Error {
  override name = 'SmtpConnectError';
}

export function rejectedBy(what: string, reply: SmtpReply): SmtpConnectError {
  return new SmtpConnectError(`${what} rejected: ${reply.code} ${cleanReplyText(reply.text)}`);
}

export function tlsOptions({ host, tls }: SmtpServer): ConnectionOptions {
  // An IP address must not be sent as a server name (RFC 6066 section 3).
  return { minVersion: 'TLSv1.2', ...(isIP(host) === 0 ? { servername: host } : {}), ...tls };
}

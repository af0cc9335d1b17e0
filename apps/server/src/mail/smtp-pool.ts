import type { ConnectionOptions } from 'node:tls';
import type { MailTransport } from './mail-transport.ts';

/** All in milliseconds (security.md TMO-1, email.md R6.3). */
export interface SmtpTimeouts {
  connect: number;
  command: number;
  endOfData: number;
  idle: number;
}

export interface SmtpPoolOptions {
  /** `smtp[s]://user:pass@host:port` */
  url: string;
  connections: number;
  /** Default 100, for a loopback relay 10,000. */
  messagesPerConnection?: number;
  timeouts?: Partial<SmtpTimeouts>;
  /** Extra trust settings, e.g. `ca` of a private relay. */
  tls?: Pick<ConnectionOptions, 'ca' | 'servername'>;
  /** Name given in EHLO. Default: this machine's name. */
  clientName?: string;
}

export function createSmtpPool(_options: SmtpPoolOptions): MailTransport {
  throw new Error('not built yet');
}

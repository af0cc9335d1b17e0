import { createSmtpPool, type SmtpPoolOptions } from '../email/smtp/smtp-pool.ts';
import type { MailTransport, OutgoingMessage, TransportResult } from '../email/transports/transport.ts';

/** A pool for tests that store nothing: each result is settled as soon as it is there. */
export function createSettlingPool(options: SmtpPoolOptions): Pick<MailTransport, 'close'> & {
  send: (message: OutgoingMessage) => Promise<TransportResult>;
} {
  const pool = createSmtpPool(options);
  return {
    send: async (message) => {
      const { result, settle } = await pool.send(message);
      settle();
      return result;
    },
    close: () => pool.close(),
  };
}

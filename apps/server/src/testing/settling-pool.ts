import { createSmtpPool, type SmtpPoolOptions } from '../email/smtp/smtp-pool.ts';
import type { MailTransport, OutgoingMessage, TransportResult } from '../email/transports/transport.ts';

/** Creates a pool for tests that store nothing: each result is settled immediately. */
export function createSettlingPool(
  options: SmtpPoolOptions,
): Pick<MailTransport, 'close'> & { send: (message: OutgoingMessage) => Promise<TransportResult> } {
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

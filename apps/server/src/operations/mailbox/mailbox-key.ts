import type { FastifyInstance } from 'fastify';
import type { Config } from '../../platform/config.ts';
import { createTerminalKey } from '../../platform/terminal-key.ts';

/** Opens the system mailbox to whoever sees the terminal of the server. */
export interface MailboxKey {
  /** Turns into a cookie in the browser that opens it. */
  link: string;
  /** Whether a request has that cookie. @param cookies  its header */
  isIn: (cookies: string | undefined) => boolean;
  /** Serves the link. */
  register: (app: FastifyInstance) => void;
}

/** @returns undefined where there is no system mailbox: a mail server is set, or the server can be reached from elsewhere */
export function createMailboxKey(
  config: Pick<Config, 'smtpUrl' | 'host' | 'publicUrl' | 'secretKey'>,
): MailboxKey | undefined {
  const key = createTerminalKey(config, {
    purpose: 'system mailbox',
    cookieName: 'reachout_mailbox',
    path: linkPath,
  });
  return (
    key && {
      link: key.link,
      isIn: key.isIn,
      register: (app) => {
        app.get<{ Params: { key: string } }>(`${linkPath}:key`, async ({ params }, reply) => {
          // The page says where to find the link, to anybody whose key is wrong.
          if (key.isRight(params.key)) reply.header('set-cookie', key.cookie);
          return await reply.header('cache-control', 'no-store').redirect('/mailbox');
        });
      },
    }
  );
}

const linkPath = '/mailbox/key/';

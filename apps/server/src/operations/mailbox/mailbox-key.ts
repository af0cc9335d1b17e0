import type { FastifyInstance } from 'fastify';
import type { Config } from '../../platform/config.ts';
import { createTerminalKey } from '../../platform/terminal-key.ts';

/** Grants access to the system mailbox to anyone who can see the server's terminal. */
export interface MailboxKey {
  /** Sets a cookie in the browser that opens it. */
  link: string;
  /** Whether a request has that cookie. @param cookies  the request's cookie header */
  isIn: (cookies: string | undefined) => boolean;
  /** Serves the link. */
  register: (app: FastifyInstance) => void;
}

/**
 * @returns undefined if a mail server is set or the server is reachable from other hosts: there is no system mailbox then
 */
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
          // With a wrong key, the page explains where to find the link.
          if (key.isRight(params.key)) reply.header('set-cookie', key.cookie);
          return await reply.header('cache-control', 'no-store').redirect('/mailbox');
        });
      },
    }
  );
}

const linkPath = '/mailbox/key/';

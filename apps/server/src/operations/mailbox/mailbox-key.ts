import { parseCookies } from 'better-auth/cookies/utils';
import type { FastifyInstance } from 'fastify';
import { deriveKey, type Config } from '../../platform/config.ts';
import { isLoopback } from '../../platform/loopback.ts';
import { equalSecrets } from '../../platform/equal-secrets.ts';

/** Opens the system mailbox to whoever sees the terminal of the server. */
export interface MailboxKey {
  /** Turns into a cookie in the browser that opens it. */
  link: string;
  /** Whether a request has that cookie. @param cookies  its header */
  isIn: (cookies: string | undefined) => boolean;
  /** Serves the link. */
  register: (app: FastifyInstance) => void;
}

const validForSeconds = 30 * 86_400;

/**
 * The key changes with SECRET_KEY, and with it all links and cookies.
 * @returns undefined where there is no system mailbox: a mail server is set, or the server can be reached from elsewhere
 */
export function createMailboxKey({
  smtpUrl,
  host,
  publicUrl,
  secretKey,
}: Pick<Config, 'smtpUrl' | 'host' | 'publicUrl' | 'secretKey'>): MailboxKey | undefined {
  const isAtHome = [host, new URL(publicUrl).hostname].every(isLoopback);
  if (smtpUrl !== undefined || !isAtHome) return undefined;
  const key = deriveKey(secretKey, 'system mailbox').toString('base64url');
  const secure = publicUrl.startsWith('https://');
  const name = `${secure ? '__Host-' : ''}reachout_mailbox`;
  const cookie = `${name}=${key}; Path=/; Max-Age=${validForSeconds}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  return {
    link: `${publicUrl}${linkPath}${key}`,
    isIn: (cookies) => equalSecrets(key, parseCookies(cookies ?? '').get(name) ?? ''),
    register: (app) => {
      app.get<{ Params: { key: string } }>(`${linkPath}:key`, async ({ params }, reply) => {
        // The page says where to find the link, to anybody whose key is wrong.
        if (equalSecrets(key, params.key)) reply.header('set-cookie', cookie);
        return await reply.header('cache-control', 'no-store').redirect('/mailbox');
      });
    },
  };
}

const linkPath = '/mailbox/key/';

import { parseCookies } from 'better-auth/cookies/utils';
import type { Config } from './config.ts';
import { deriveKey } from './secret-key.ts';
import { equalSecrets } from './equal-secrets.ts';
import { isLoopback } from './loopback.ts';

/** Grants access to the person at the server's terminal: a link with a secret, which is exchanged for a cookie. */
export interface TerminalKey {
  link: string;
  /** Whether the secret of a link is correct. */
  isRight: (given: string) => boolean;
  /** Value of `set-cookie` for the browser that has opened the link. */
  cookie: string;
  /** Whether a request has that cookie. @param cookies  its `cookie` header */
  isIn: (cookies: string | undefined) => boolean;
}

const validForSeconds = 30 * 86_400;

/** Whether no mail server is configured and the server is reachable from this machine only. */
export const isAtHome = ({
  smtpUrl,
  host,
  publicUrl,
}: Pick<Config, 'smtpUrl' | 'host' | 'publicUrl'>): boolean =>
  smtpUrl === undefined && [host, new URL(publicUrl).hostname].every(isLoopback);

/**
 * Derives the key from SECRET_KEY: a new SECRET_KEY invalidates all links and cookies.
 * @param options.path  path of the link, up to the secret
 * @returns undefined unless `isAtHome`: other servers keep logs, which would contain the link
 */
export function createTerminalKey(
  config: Pick<Config, 'smtpUrl' | 'host' | 'publicUrl' | 'secretKey'>,
  { purpose, cookieName, path }: { purpose: string; cookieName: string; path: string },
): TerminalKey | undefined {
  if (!isAtHome(config)) return undefined;
  const { publicUrl, secretKey } = config;
  const key = deriveKey(secretKey, purpose).toString('base64url');
  const secure = publicUrl.startsWith('https://');
  const name = `${secure ? '__Host-' : ''}${cookieName}`;
  return {
    link: `${publicUrl}${path}${key}`,
    isRight: (given) => equalSecrets(key, given),
    cookie: `${name}=${key}; Path=/; Max-Age=${validForSeconds}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`,
    isIn: (cookies) => equalSecrets(key, parseCookies(cookies ?? '').get(name) ?? ''),
  };
}

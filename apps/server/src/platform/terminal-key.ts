import { parseCookies } from 'better-auth/cookies/utils';
import { deriveKey, type Config } from './config.ts';
import { equalSecrets } from './equal-secrets.ts';
import { isLoopback } from './loopback.ts';

/** What only the person at the terminal of the server has: a link with a secret, which turns into a cookie. */
export interface TerminalKey {
  link: string;
  /** Whether the secret of a link is right. */
  isRight: (given: string) => boolean;
  /** For the browser that has opened the link; a value of `set-cookie`. */
  cookie: string;
  /** Whether a request has that cookie. @param cookies  its header */
  isIn: (cookies: string | undefined) => boolean;
}

const validForSeconds = 30 * 86_400;

/** No mail server is set, and the server cannot be reached from elsewhere. */
export const isAtHome = ({
  smtpUrl,
  host,
  publicUrl,
}: Pick<Config, 'smtpUrl' | 'host' | 'publicUrl'>): boolean =>
  smtpUrl === undefined && [host, new URL(publicUrl).hostname].every(isLoopback);

/**
 * The key changes with SECRET_KEY, and with it all links and cookies.
 * @param options.path  of the link, up to the secret
 * @returns undefined where the server is not at home: logs are kept there, and links would be in them
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

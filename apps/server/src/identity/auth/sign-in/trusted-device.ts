import { parseCookies } from 'better-auth/cookies/utils';
import { newToken, type Secrets } from '../../../platform/secrets.ts';
import { equalSecrets } from '../../../platform/equal-secrets.ts';

/** A browser in which a user signed in before. */
export interface TrustedDevice {
  userId: string;
  /** Id of that sign-in. */
  id: string;
}

const validForSeconds = 180 * 86_400;

/**
 * Cookie of a browser in which the user signed in before. It does not authenticate the user, but distinguishes the
 * browser from a stranger's (checkPassword). Only this server can create it.
 */
export function trustedDeviceCookie(publicUrl: string, secrets: Pick<Secrets, 'hash' | 'hashes'>) {
  const secure = publicUrl.startsWith('https://');
  const name = `${secure ? '__Host-' : ''}reachout_trusted_device`;
  return {
    name,
    attributes: { httpOnly: true, secure, sameSite: 'strict', path: '/', maxAge: validForSeconds } as const,
    newValue: (userId: string): string => {
      const content = `${userId}.${newToken()}.${Math.floor(Date.now() / 1_000) + validForSeconds}`;
      return `${content}.${secrets.hash('trusted device', content)}`;
    },
    read: (header: string | undefined): TrustedDevice | undefined => {
      const value = parseCookies(header ?? '').get(name) ?? '';
      const end = value.lastIndexOf('.');
      const content = value.slice(0, Math.max(0, end));
      const isSigned = secrets
        .hashes('trusted device', content)
        .some((hash) => equalSecrets(hash, value.slice(end + 1)));
      const [userId = '', id = '', until = ''] = content.split('.');
      return isSigned && Number(until) > Date.now() / 1_000 ? { userId, id } : undefined;
    },
  };
}

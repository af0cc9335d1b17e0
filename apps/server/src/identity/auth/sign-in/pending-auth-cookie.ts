import { parseCookies } from 'better-auth/cookies/utils';
import { validForMs } from '../one-time-tokens/one-time-token.ts';
import type { PendingAuthKind } from '../sign-in-deps.ts';

/** A random value by which a browser proves that it requested a link or a code. */
export function pendingAuthCookies(publicUrl: string) {
  const secure = publicUrl.startsWith('https://');
  const nameOf = (kind: PendingAuthKind) => `${secure ? '__Host-' : ''}reachout_${kind}`;
  return {
    read: (kind: PendingAuthKind, header: string | undefined): string | undefined =>
      parseCookies(header ?? '').get(nameOf(kind)),
    write: (kind: PendingAuthKind, pendingAuth: string): string =>
      [
        `${nameOf(kind)}=${pendingAuth}`,
        `Max-Age=${validForMs[kind] / 1_000}`,
        'Path=/',
        'HttpOnly',
        ...(secure ? ['Secure'] : []),
        'SameSite=Strict',
      ].join('; '),
  };
}

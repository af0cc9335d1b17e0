import { parseCookies } from 'better-auth/cookies/utils';
import { validForMs } from '../one-time-tokens/one-time-token.ts';
import type { AttemptKind } from '../sign-in-deps.ts';

/** What the browser that asked for a link or a code keeps to show that it did: random, for itself alone. */
export function attemptCookies(publicUrl: string) {
  const secure = publicUrl.startsWith('https://');
  const nameOf = (kind: AttemptKind) => `${secure ? '__Host-' : ''}reachout_${kind}`;
  return {
    read: (kind: AttemptKind, header: string | undefined): string | undefined =>
      parseCookies(header ?? '').get(nameOf(kind)),
    write: (kind: AttemptKind, attempt: string): string =>
      [
        `${nameOf(kind)}=${attempt}`,
        `Max-Age=${validForMs[kind] / 1_000}`,
        'Path=/',
        'HttpOnly',
        ...(secure ? ['Secure'] : []),
        'SameSite=Strict',
      ].join('; '),
  };
}

import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { loadAppTexts, loadAuthTexts } from '#web/i18n/i18n.ts';
import { compact } from '#web/platform/list-search.ts';
import { isEmail } from '@reachout/contract/rules/addresses.ts';
import { resolveAuthOptions } from './auth-options.ts';
import { safeNext } from './safe-next.ts';
import { resolveSession } from './session.ts';

/** Redirects signed-out users to sign-in with their destination; otherwise loads what the app needs. */
export async function requireSession(queryClient: QueryClient, href: string): Promise<void> {
  const [session] = await Promise.all([resolveSession(queryClient), loadAppTexts()]);
  if (session.is !== 'signed_in')
    throw redirect({ to: '/sign-in', search: href === '/' ? {} : { next: href } });
  const { preparePreferences } = await import('#web/identity/account/preferences.ts');
  await preparePreferences();
}

/** For the pages before the app: redirects signed-in users. If the session cannot be read, the page is shown. */
export async function requireSignedOut(queryClient: QueryClient, next: string | undefined): Promise<void> {
  const [session] = await Promise.all([
    resolveSession(queryClient).catch(() => undefined),
    resolveAuthOptions(queryClient),
    loadAuthTexts(),
  ]);
  if (session?.is === 'signed_in') throw redirect({ href: next ?? '/' });
}

/** An address typed on one page, carried over to the next. */
export const readEmail = (email: unknown): string | undefined =>
  typeof email === 'string' && isEmail(email.trim()) ? email.trim() : undefined;

export interface EntrySearch {
  next?: string;
  email?: string;
}

/** For `validateSearch` of the pages before the app. */
export const readEntry = (raw: Record<string, unknown>): EntrySearch =>
  compact({ next: safeNext(raw['next']), email: readEmail(raw['email']) });

/** For `validateSearch` of pages that emails link to; a missing token is treated like an expired one. */
export const readToken = (raw: Record<string, unknown>): { token: string } => ({
  token: typeof raw['token'] === 'string' ? raw['token'].slice(0, 500) : '',
});

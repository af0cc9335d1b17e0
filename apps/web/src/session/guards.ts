import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { loadAppTexts } from '../i18n/i18n.ts';
import { sessionQuery } from './session.ts';

/** Sends signed-out people to sign in and remembers where they were going; for others the app's texts are loaded. */
export async function requireSession(queryClient: QueryClient, href: string): Promise<void> {
  const user = await queryClient.ensureQueryData(sessionQuery);
  if (!user) throw redirect({ to: '/sign-in', search: href === '/' ? {} : { next: href } });
  await loadAppTexts();
}

/** Only a path of this origin may be gone to after signing in: never another site (`//evil`, `https:`). */
export function safeNext(next: unknown): string | undefined {
  if (typeof next !== 'string' || !next.startsWith('/') || next.startsWith('//')) return undefined;
  try {
    const url = new URL(next, location.origin);
    return url.origin === location.origin ? url.pathname + url.search + url.hash : undefined;
  } catch {
    return undefined;
  }
}

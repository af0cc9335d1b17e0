import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { loadAuthTexts } from '#web/i18n/i18n.ts';
import { lazyPart } from '#web/platform/lazy-part.tsx';
import { setAsker, type SignInReason } from '#web/platform/sign-in-needed.ts';
import {
  currentSession,
  forgetAccount,
  refreshSession,
  sessionEnd,
  sessionQuery,
  useSession,
  type SessionUser,
} from './session.ts';
import { listenToTabs } from './tabs.ts';

const ReSignInDialog = lazyPart(() => import('./re-sign-in-dialog.tsx'), { texts: loadAuthTexts });

interface Asked {
  reason: SignInReason;
  user: SessionUser;
  signedIn: Promise<boolean>;
  settle: (signedIn: boolean) => void;
}

/**
 * Keeps the page in sync with the session: asks to sign in again when it has ended, leaves the page when the user signs out
 * in any tab, and restarts when another account signs in.
 */
export function SessionWatch() {
  const router = useRouter();
  const queryClient = useQueryClient();
  const [shown, setShown] = useState<Asked>();
  const asked = useRef<Asked>(undefined);
  const lastUser = useRef<SessionUser>(undefined);
  // "Not now" was chosen, so background refreshes do not ask again.
  const isPutOff = useRef(false);

  const settle = (signedIn: boolean) => {
    asked.current?.settle(signedIn);
    asked.current = undefined;
    isPutOff.current = !signedIn;
    setShown(undefined);
  };

  const ask = useEffectEvent((reason: SignInReason, isRead: boolean): Promise<boolean> => {
    if (asked.current) return asked.current.signedIn;
    const known = lastUser.current;
    if (known === undefined || (isRead && isPutOff.current)) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    asked.current = { reason, user: known, signedIn: promise, settle: resolve };
    setShown(asked.current);
    return promise;
  });

  const leave = useEffectEvent(async () => {
    settle(false);
    isPutOff.current = false;
    lastUser.current = undefined;
    queryClient.setQueryData(sessionQuery.queryKey, null);
    const isPublic = /^\/(sign-|reset-|auth\/|change-email|invitation\/|join\/|mailbox|help|shares\/)/.test(
      location.pathname,
    );
    if (!isPublic) await router.navigate({ to: '/sign-in', ignoreBlocker: true });
    forgetAccount();
    if (isPublic) await router.invalidate();
  });

  /** A user has signed in, in this or another tab. The same user continues; another user is detected below. */
  const continueAs = useEffectEvent(async (id: string) => {
    const before = lastUser.current;
    const session = currentSession();
    if (session.is !== 'signed_in' || session.user.id !== id) await refreshSession();
    if (before?.id === id) {
      settle(true);
      // Repeats the queries that failed in the meantime.
      await queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
    } else if (before === undefined) {
      // Redirects from the pages before the app to their destination.
      await router.invalidate();
    }
  });

  const startAnew = useEffectEvent(async () => {
    settle(false);
    isPutOff.current = false;
    await router.navigate({ to: '/', ignoreBlocker: true });
  });

  const session = useSession();
  const user = session.is === 'signed_in' ? session.user : undefined;
  useEffect(() => {
    // After a session has ended, its user is still known: the work on the page is theirs.
    if (user === undefined) return;
    const before = lastUser.current;
    lastUser.current = user;
    if (before === undefined || before.id === user.id) return;
    // Before the screens of the new account request anything.
    forgetAccount();
    void startAnew();
  }, [user]);

  useEffect(() => setAsker(ask), []);
  useEffect(() => {
    const onEnd = () => void leave();
    sessionEnd.addEventListener('end', onEnd);
    return () => sessionEnd.removeEventListener('end', onEnd);
  }, []);
  useEffect(
    () =>
      listenToTabs((message) => void (message.kind === 'signed_out' ? leave() : continueAs(message.userId))),
    [],
  );

  if (!shown) return null;
  return (
    <ReSignInDialog
      reason={shown.reason}
      user={shown.user}
      onSignedIn={(id) => void continueAs(id)}
      onClose={() => settle(false)}
    />
  );
}

export type SignInReason = 'not_signed_in' | 'sign_in_again';

/**
 * @param isRead  nobody waits for it: a list that keeps itself fresh
 * @returns whether the same person is signed in again
 */
type Asker = (reason: SignInReason, isRead: boolean) => Promise<boolean>;

let asker: Asker | undefined;

/** The page's way to ask; there is one. */
export function setAsker(ask: Asker): () => void {
  asker = ask;
  return () => {
    if (asker === ask) asker = undefined;
  };
}

export const askToSignIn: Asker = (reason, isRead) => asker?.(reason, isRead) ?? Promise.resolve(false);

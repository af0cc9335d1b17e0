export type SignInReason = 'not_signed_in' | 'sign_in_again';

/**
 * @param isRead  whether it is a read that no user waits for, such as a list that refreshes itself
 * @returns whether the same user is signed in again
 */
type Asker = (reason: SignInReason, isRead: boolean) => Promise<boolean>;

let asker: Asker | undefined;

/** Registers the page's only sign-in prompt. */
export function setAsker(ask: Asker): () => void {
  asker = ask;
  return () => {
    if (asker === ask) asker = undefined;
  };
}

export const askToSignIn: Asker = (reason, isRead) => asker?.(reason, isRead) ?? Promise.resolve(false);

import { auth } from '#web/i18n/en/auth.ts';

type Reason = keyof typeof auth.callback.reasons;

/** Whether there is a text for this reason why signing in through a provider failed. */
export const isCallbackReason = (code: string): code is Reason => Object.hasOwn(auth.callback.reasons, code);

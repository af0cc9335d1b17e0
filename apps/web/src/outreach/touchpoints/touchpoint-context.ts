import type { Touchpoint, TouchpointEmail } from '@reachout/contract/touchpoints.ts';
import { createContext, useContext } from 'react';

export interface TouchpointScope {
  touchpoint: Touchpoint;
  email: TouchpointEmail;
  /** Why the email cannot be changed right now; a state, not a permission. */
  lock: 'scheduled' | 'sending' | 'sent' | undefined;
  mayEdit: boolean;
}

export const TouchpointContext = createContext<TouchpointScope | undefined>(undefined);

/** The email whose workspace is open. */
export function useTouchpoint(): TouchpointScope {
  const scope = useContext(TouchpointContext);
  if (!scope) throw new Error('useTouchpoint outside of a touchpoint');
  return scope;
}

export function lockOf(status: string): TouchpointScope['lock'] {
  if (status === 'scheduled' || status === 'sent') return status;
  return status === 'sending' || status === 'paused' ? 'sending' : undefined;
}

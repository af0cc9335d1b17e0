import type { Touchpoint, TouchpointEmail } from '@reachout/contract/touchpoints.ts';
import { createContext, useContext } from 'react';

export interface TouchpointContextValue {
  touchpoint: Touchpoint;
  email: TouchpointEmail;
  /** Why the email cannot be changed right now; a state, not a permission. */
  lock: 'scheduled' | 'sending' | 'sent' | undefined;
  canEdit: boolean;
}

export const TouchpointContext = createContext<TouchpointContextValue | undefined>(undefined);

/** The email whose workspace is open. */
export function useTouchpoint(): TouchpointContextValue {
  const value = useContext(TouchpointContext);
  if (!value) throw new Error('useTouchpoint outside of a touchpoint');
  return value;
}

export function lockOf(status: string): TouchpointContextValue['lock'] {
  if (status === 'scheduled' || status === 'sent') return status;
  return status === 'sending' || status === 'paused' ? 'sending' : undefined;
}

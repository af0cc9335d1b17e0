import { touchpointCan } from '@reachout/contract/states/touchpoint.ts';
import type { Touchpoint } from '@reachout/contract/touchpoints.ts';
import { createContext, useContext } from 'react';

export interface TouchpointContextValue {
  touchpoint: Touchpoint;
  /** Why it cannot be changed at present; a state, not a missing permission. */
  lock: 'scheduled' | 'sending' | 'sent' | undefined;
  canEdit: boolean;
}

export const TouchpointContext = createContext<TouchpointContextValue | undefined>(undefined);

/** The touchpoint of the current workspace. */
export function useTouchpoint(): TouchpointContextValue {
  const value = useContext(TouchpointContext);
  if (!value) throw new Error('useTouchpoint outside of a touchpoint');
  return value;
}

export function lockOf(touchpoint: Touchpoint): TouchpointContextValue['lock'] {
  const { status } = touchpoint;
  if (touchpointCan.edit(touchpoint)) return undefined;
  return status === 'scheduled' || status === 'sent' ? status : 'sending';
}

import type { TouchpointDetails } from '@reachout/contract/touchpoints.ts';
import { createContext, useContext } from 'react';

export interface TouchpointContextValue {
  touchpoint: TouchpointDetails;
  canEdit: boolean;
}

export const TouchpointContext = createContext<TouchpointContextValue | undefined>(undefined);

/** The touchpoint of the current workspace. */
export function useTouchpoint(): TouchpointContextValue {
  const value = useContext(TouchpointContext);
  if (!value) throw new Error('useTouchpoint outside of a touchpoint');
  return value;
}

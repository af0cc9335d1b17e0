import { useState } from 'react';

/**
 * For parts that are shown together once all are loaded, so that the layout does not shift.
 * @returns whether they are loading for the first time: a part that is reloaded later leaves the others in place
 */
export function useFirstLoad(isLoading: boolean): boolean {
  const [isOver, setOver] = useState(false);
  if (!isLoading && !isOver) setOver(true);
  return isLoading && !isOver;
}

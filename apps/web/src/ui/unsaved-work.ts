import { useEffect } from 'react';

let dirtyPages = 0;

/** Whether leaving now would lose something; for what leaves without going to another address. */
export const hasUnsavedWork = (): boolean => dirtyPages > 0;

/** As long as something on a page is not saved. */
export function useUnsavedWork(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return undefined;
    dirtyPages += 1;
    return () => {
      dirtyPages -= 1;
    };
  }, [isDirty]);
}

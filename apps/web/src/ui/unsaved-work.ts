import { useEffect } from 'react';

let dirtyPages = 0;

/** Whether leaving now would lose changes; for actions that leave without a navigation. */
export const hasUnsavedWork = (): boolean => dirtyPages > 0;

/** Call while a page has unsaved changes. */
export function useUnsavedWork(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return undefined;
    dirtyPages += 1;
    return () => {
      dirtyPages -= 1;
    };
  }, [isDirty]);
}

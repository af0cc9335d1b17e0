import { useState } from 'react';

/** One refusable action at a time: whether it runs, and what it was refused with. */
export function useAction() {
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const run = async (work: () => Promise<void>): Promise<boolean> => {
    setPending(true);
    setError(undefined);
    try {
      await work();
      return true;
    } catch (caught) {
      setError(caught);
      return false;
    } finally {
      setPending(false);
    }
  };
  return { pending, error, run, clear: () => setError(undefined) };
}

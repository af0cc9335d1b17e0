import { useEffect, useState } from 'react';

/**
 * @returns true only once `waiting` has lasted `afterMs`, and then for at least `leastMs`: short waits show no indicator,
 * and a shown one does not flicker
 */
export function useDelayed(waiting: boolean, afterMs = 200, leastMs = 300): boolean {
  const [shownAt, setShownAt] = useState<number | undefined>();
  useEffect(() => {
    if (waiting && shownAt === undefined) {
      const timer = window.setTimeout(() => setShownAt(performance.now()), afterMs);
      return () => window.clearTimeout(timer);
    }
    if (!waiting && shownAt !== undefined) {
      const rest = Math.max(0, leastMs - (performance.now() - shownAt));
      const timer = window.setTimeout(() => setShownAt(undefined), rest);
      return () => window.clearTimeout(timer);
    }
    return undefined;
  }, [waiting, shownAt, afterMs, leastMs]);
  return shownAt !== undefined;
}

import { LRUCache } from 'lru-cache';

export interface CircuitBreaker {
  /** Whether nothing is to be asked now. */
  isOpen: (key: string) => boolean;
  noteSuccess: (key: string) => void;
  noteFailure: (key: string) => void;
}

/**
 * Leaves a server alone for a while that has failed several times in a row: each further request would keep somebody waiting, and
 * a place that others need. After the pause, one request tries.
 */
export function createCircuitBreaker({
  failures,
  pauseMs,
}: {
  failures: number;
  pauseMs: number;
}): CircuitBreaker {
  const circuits = new LRUCache<string, { failed: number; openUntil: number }>({ max: 5_000 });
  return {
    isOpen: (key) => {
      const circuit = circuits.get(key);
      if (circuit === undefined || circuit.failed < failures) return false;
      if (circuit.openUntil > Date.now()) return true;
      // This one tries; others wait for its result.
      circuit.openUntil = Date.now() + pauseMs;
      return false;
    },
    noteSuccess: (key) => {
      circuits.delete(key);
    },
    noteFailure: (key) => {
      const failed = (circuits.get(key)?.failed ?? 0) + 1;
      circuits.set(key, { failed, openUntil: Date.now() + pauseMs });
    },
  };
}

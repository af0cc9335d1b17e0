import { LRUCache } from 'lru-cache';

export interface CircuitBreaker {
  /** Whether requests are paused. */
  isOpen: (key: string) => boolean;
  noteSuccess: (key: string) => void;
  noteFailure: (key: string) => void;
}

/**
 * Pauses requests to a server after several consecutive failures: further requests would keep users waiting and occupy
 * slots that others need. After the pause, one request is let through.
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
      // Lets this request through; others stay paused until its result is known.
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

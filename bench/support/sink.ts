import type { SinkCount, SinkFaults } from './counting-sink.ts';

/** A mail server in its own process that takes everything and counts. */
export interface Sink {
  port: number;
  /** Counts from zero, and fails like this from now on. @throws Error where it cannot fail */
  reset: (faults?: SinkFaults) => Promise<void>;
  /** Resolves once the first message after `reset` is there. */
  first: () => Promise<void>;
  count: () => Promise<SinkCount>;
  stop: () => Promise<void>;
}

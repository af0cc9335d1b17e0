import type { SinkCount, SinkFaults } from './counting-sink.ts';

/** A mail server in its own process that accepts and counts all messages. */
export interface Sink {
  port: number;
  /** Resets the counters and sets the faults. @throws Error when the sink does not support faults */
  reset: (faults?: SinkFaults) => Promise<void>;
  /** Resolves when the first message after `reset` has arrived. */
  first: () => Promise<void>;
  count: () => Promise<SinkCount>;
  stop: () => Promise<void>;
}

import type { SendPace } from '@reachout/contract/sends.ts';
import { sendCan } from '@reachout/contract/states/send.ts';
import type { CountedSend } from './send.ts';

/** Where the counters of a send stood at one moment. */
export interface PaceSample {
  /** Milliseconds of a clock that is never set back. */
  atMs: number;
  /** Messages with a result. */
  processed: number;
}

/** The average is taken over this long, and over more where fewer messages than these ended in that time. */
const windowMs = 10_000;
const windowMessages = 20;
const longestWindowMs = 120_000;

/** Less than this says nothing yet: the first results of a send come together. */
const shortestWindowMs = 3_000;

/** Samples closer together tell no more. */
const sampleMs = 500;

/** Nobody looked for this long, so whether the send moved meanwhile is not known. */
const longestGapMs = 30_000;

/**
 * Adds a sample and drops what the average does not need any more. The first one is moved on until the counters move
 * for the first time: the wait before that is no part of the average.
 */
export function addSample(samples: readonly PaceSample[], next: PaceSample): readonly PaceSample[] {
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined) return [next];
  if (next.atMs - last.atMs > longestGapMs || next.processed < last.processed) return [next];
  if (next.processed === first.processed) return [next];
  if (next.atMs - last.atMs < sampleMs) return samples;
  const start = samples.findLastIndex(
    ({ atMs, processed }) =>
      next.atMs - atMs >= windowMs &&
      (next.processed - processed >= windowMessages || next.atMs - atMs >= longestWindowMs),
  );
  return [...samples.slice(Math.max(0, start)), next];
}

/**
 * How quickly a send moves, and how long that takes it to its end: the moving average of its samples.
 * @param left  messages without a result
 * @param isHindered  something is wrong with the send: then it does not count as slow, but as stopped, once nothing
 * moved for the time of the average
 * @returns null before there is a rate, and while nothing moves
 */
export function estimatePace(
  samples: readonly PaceSample[],
  left: number,
  isHindered: boolean,
): SendPace | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined) return null;
  const lastMove = samples.find(({ processed }) => processed === last.processed) ?? last;
  const stoppedMs = last.atMs - lastMove.atMs;
  if (stoppedMs >= (isHindered ? windowMs : longestWindowMs)) return null;
  const elapsedMs = last.atMs - first.atMs;
  const processed = last.processed - first.processed;
  if (elapsedMs < shortestWindowMs || processed === 0) return null;
  const perSecond = (processed * 1_000) / elapsedMs;
  return { per_minute: Math.round(perSecond * 60), seconds_left: Math.ceil(left / perSecond) };
}

/** Sends whose samples are kept; those that nobody has looked at for longest are forgotten first. */
const maxSends = 1_000;

/**
 * The paces of sends that somebody looks at: each look is a sample. They are in the memory of this process, so that
 * whoever opens or reloads a page learns at once what it knows already.
 */
export function createPaces(nowMs: () => number = () => performance.now()) {
  const samplesOf = new Map<string, readonly PaceSample[]>();
  return {
    /** What is known of a send, of which this look is a part. */
    look(send: CountedSend): SendPace | null {
      const before = samplesOf.get(send.id) ?? [];
      // Inserted again, so that the first one is that which nobody has looked at for longest.
      samplesOf.delete(send.id);
      if (!sendCan.deliver(send) || !sendCan.complete(send) || send.waits_until !== null) return null;
      const left = send.recipients_queued_count;
      const processed = send.recipients_total_count - left - send.recipients_uncertain_count;
      const samples = addSample(before, { atMs: nowMs(), processed });
      samplesOf.set(send.id, samples);
      const [oldest] = samplesOf.keys();
      if (samplesOf.size > maxSends && oldest !== undefined) samplesOf.delete(oldest);
      return estimatePace(samples, left, send.error_content !== null);
    },
  };
}

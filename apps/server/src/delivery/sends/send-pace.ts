import type { SendPace } from '@reachout/contract/sends.ts';
import { sendCan } from '@reachout/contract/states/send.ts';
import type { CountedSend } from './send.ts';

/** The counters of a send at a point in time. */
export interface PaceSample {
  /** Milliseconds of a monotonic clock. */
  atMs: number;
  /** Messages with a result. */
  processed: number;
}

/** The average covers `windowMs`, or longer, up to `longestWindowMs`, if fewer than `windowMessages` ended in that time. */
const windowMs = 10_000;
const windowMessages = 20;
const longestWindowMs = 120_000;

/** Minimum time for an estimate: the first results of a send arrive in a burst. */
const shortestWindowMs = 3_000;

/** Minimum time between samples. */
const sampleMs = 500;

/** After a longer gap between samples it is unknown whether the send kept moving, so sampling starts again. */
const longestGapMs = 30_000;

/**
 * Adds a sample and drops those that the average no longer needs. Until the counters change for the first time, each new
 * sample replaces the first one: the wait before that is not part of the average.
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
 * Estimates the rate of a send and its remaining time from the moving average of its samples.
 * @param left  messages without a result
 * @param isHindered  whether the send has an error: then it counts as stopped, not slow, once nothing moved for `windowMs`
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

/** Maximum number of sends whose samples are kept; the least recently viewed are dropped first. */
const maxSends = 1_000;

/**
 * Tracks the pace of sends that users view: each view adds a sample. Samples are held in the memory of this process, so that
 * a page that is opened or reloaded shows the known pace at once.
 */
export function createPaces(nowMs: () => number = () => performance.now()) {
  const samplesOf = new Map<string, readonly PaceSample[]>();
  return {
    /** Adds a sample and returns the estimate. */
    look(send: CountedSend): SendPace | null {
      const before = samplesOf.get(send.id) ?? [];
      // Deleted and inserted again, so that the first entry of the map is the least recently viewed one.
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

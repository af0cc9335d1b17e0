import type { Post } from './post.ts';
import { toBatches, type Entry, type Queue } from './queue.ts';

/** Events that follow each other are collected for so long. */
const collectMs = 1_000;
const timeoutMs = 30_000;
/** How often to ask whether another tab still sends: once in `collectMs`. */
const maxWaited = 30;
const firstRetryMs = 1_000;
const lastRetryMs = 300_000;

/** Some event of the request is refused, not all of them. */
const isRefused = (status: number): boolean => [400, 413, 422].includes(status);
const isForLater = (status: number): boolean => status >= 500 || status === 429 || status === 408;

export interface SenderOptions {
  post: Post;
  websiteId: string;
  queue: Queue;
  /** Reports what goes wrong, and never throws. */
  attempt: (work: () => unknown) => Promise<void>;
  onStored: (batch: readonly Entry[]) => void;
}

export type Sender = ReturnType<typeof createSender>;

/** Sends the events of a queue until the server has acknowledged or refused each. Times are those of `performance.now()`. */
export function createSender({ post, websiteId, queue, attempt, onStored }: SenderOptions) {
  const inFlight = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSending = false;
  let sentAt = -collectMs;
  let failures = 0;
  let waited = 0;
  /** After failures. */
  let retryAt = 0;
  /** What the server has asked for. */
  let refusedUntil = 0;

  /** @param isRetryDue  whether not to wait any longer after failures */
  function wake(isRetryDue = false): void {
    if (isRetryDue) retryAt = refusedUntil;
    clearTimeout(timer);
    if (isSending || queue.entries().length === 0) return;
    const waitMs = Math.max(retryAt, sentAt + collectMs) - performance.now();
    timer = setTimeout(() => void attempt(sendInTurn), Math.max(waitMs, 0));
  }

  /** Of the tabs of a website, one sends. What two of them send is counted once. */
  async function sendInTurn(): Promise<void> {
    isSending = true;
    sentAt = performance.now();
    try {
      await navigator.locks.request(`reachout ${websiteId}`, { ifAvailable: true }, sendAll);
    } finally {
      isSending = false;
      wake();
    }
  }

  /** @param lock  null while another tab has it; the browser may have stopped that tab, so the wait has an end */
  async function sendAll(lock: Lock | null): Promise<void> {
    waited += 1;
    if (lock === null && waited < maxWaited) return;
    waited = 0;
    for (const batch of toBatches(queue.entries())) await send(batch);
  }

  async function send(entries: readonly Entry[]): Promise<void> {
    const batch = entries.filter((entry) => queue.has(entry) && !inFlight.has(entry[0]));
    if (batch.length === 0) return;
    const { ok, status } = await sendBatch(batch);
    if (isRefused(status) && batch.length > 1) {
      for (const entry of batch) await send([entry]);
      return;
    }
    queue.remove(batch);
    if (ok) onStored(batch);
    else
      void attempt(() => {
        throw responseError(status);
      });
  }

  /** @throws Error if the events have to be sent again */
  async function sendBatch(batch: readonly Entry[]): Promise<Response> {
    for (const [key] of batch) inFlight.add(key);
    try {
      const response = await post(`[${batch.map(([, json]) => json).join()}]`, timeoutMs);
      if (isForLater(response.status)) {
        const seconds = Number(response.headers.get('retry-after')) || 0;
        refusedUntil = performance.now() + Math.min(seconds * 1_000, lastRetryMs);
        throw responseError(response.status);
      }
      failures = retryAt = 0;
      return response;
    } catch (error) {
      const waitMs = Math.min(firstRetryMs * 2 ** failures, lastRetryMs);
      failures += 1;
      retryAt = Math.max(refusedUntil, performance.now() + waitMs * (0.5 + Math.random() / 2));
      throw error;
    } finally {
      for (const [key] of batch) inFlight.delete(key);
    }
  }

  return {
    wake,
    /** Sends at once what one request can carry, because the page may end. */
    flush(): void {
      if (performance.now() < retryAt) return;
      const waiting = queue.entries().filter(([key]) => !inFlight.has(key));
      void attempt(() => send(toBatches(waiting)[0] ?? []).finally(() => wake()));
    },
  };
}

const responseError = (status: number): Error => new Error(`The server responded with ${status}.`);

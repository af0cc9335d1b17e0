import { LRUCache } from 'lru-cache';
import { LimitExceeded, retryAfter } from './limit-exceeded.ts';

export interface FairLimiterOptions {
  /** What is limited, for the log; see `LimitExceeded`. */
  bound: string;
  /** Maximum concurrent tasks. */
  maxConcurrent: number;
  /** Slots that only tasks of light users get. */
  reserved: number;
  /** Maximum queued tasks of one account. */
  maxQueuedPerAccount: number;
  /** Maximum queued tasks. When the queue is full, a task of somebody who wants less takes the place of another. */
  maxQueued: number;
}

/** Somebody whose tasks and times are counted together, such as a user or a tenant. */
export interface Account {
  id: string;
  /** Maximum concurrent tasks. */
  maxConcurrent: number;
  /** Maximum queued tasks, if it is less than `maxQueuedPerAccount`. */
  maxQueued?: number;
  /** Whether neither the time nor the queued tasks count for it: the task only takes part in its `maxConcurrent`. */
  isUndebited?: boolean;
}

export interface Terms {
  /** Maximum wait, in milliseconds. */
  usualMs: number;
  /** Maximum wait of a light user whose own tasks are running, if it is longer: those of one page begin together. */
  ownMs?: number;
  /** Maximum wait of a light user who waits only for others, for whom running tasks of heavier users are cut off. */
  patientMs?: number;
  /** Whether light users go first, and reserved slots are left to them. */
  isBulk?: boolean;
}

/**
 * Runs `work` once a slot is free.
 * @param accounts  each has a limit of its own, and the time is debited to all of them
 * @param work  ends early when the signal is aborted: a lighter user would otherwise wait too long
 * @throws LimitExceeded `unavailable` if the queue is full or the wait was too long
 */
export type FairLimiter = <T>(
  accounts: readonly Account[],
  terms: Terms,
  work: (cutOff: AbortSignal) => Promise<T>,
) => Promise<T>;

/** Used time counts half after this time. */
const halfLifeMs = 60_000;
/** Users with less recent time in slots are light. It is the statement timeout: one slow statement makes nobody heavy. */
const lightUseMs = 5_000;
/** Bounds the memory; the most recent users are kept. */
const maxAccounts = 50_000;
/**
 * Share of the patient wait before which no task is cut off, so that many new users at once do not keep all tasks from
 * ending; and share that is left for ending the task that was cut off.
 */
const minTurnShare = 1 / 12;
const reactionShare = 1 / 6;

interface Due {
  /** When the task has to start. */
  at: number;
  /** How long others may run at least. */
  minTurnMs: number;
}

interface Task {
  accounts: readonly Account[];
  isBulk: boolean;
  cutOff: AbortController;
  /** For a task that waits patiently. */
  due: Due | undefined;
  startedAt: number;
  start: () => void;
  refuse: () => void;
}

/**
 * Limits concurrent tasks by what they cost. A free slot goes to the task whose accounts used slots for the least time
 * recently, whatever the order of arrival. While light users wait for slots, running tasks of heavier users end early
 * enough for all of them to start in time: a new user waits at most `patientMs`, however many others use all slots.
 */
export function createFairLimiter(options: FairLimiterOptions): FairLimiter {
  const slots = new Slots(options);
  return async (accounts, terms, work) => {
    const task: Task = {
      accounts,
      isBulk: terms.isBulk === true,
      cutOff: new AbortController(),
      due: undefined,
      startedAt: performance.now(),
      start: () => {},
      refuse: () => {},
    };
    if (!slots.tryTake(task)) await slots.wait(task, terms);
    try {
      return await work(task.cutOff.signal);
    } finally {
      slots.free(task);
    }
  };
}

/** The time that accounts have used slots for, of which less and less counts. */
class RecentUse {
  readonly #uses = new LRUCache<string, { ms: number; at: number }>({
    maxSize: maxAccounts,
    sizeCalculation: () => 1,
  });

  /** @returns milliseconds */
  of(id: string, now: number): number {
    const past = this.#uses.get(id);
    return past === undefined ? 0 : past.ms * 0.5 ** ((now - past.at) / halfLifeMs);
  }

  add(id: string, ms: number, now: number): void {
    this.#uses.set(id, { ms: this.of(id, now) + ms, at: now });
  }
}

const isLight = (use: number) => use < lightUseMs;

const ofAccount = (tasks: Iterable<Task>, id: string) =>
  [...tasks].filter(({ accounts }) => accounts.some((account) => account.id === id));

const debitedTo = (tasks: Iterable<Task>, id: string) =>
  [...tasks].filter(({ accounts }) => accounts.some((account) => account.id === id && !account.isUndebited));

/** The slots of a limiter, and the queue for them. */
class Slots {
  readonly #options: FairLimiterOptions;
  readonly #recentUse = new RecentUse();
  readonly #running = new Set<Task>();
  /** In the order of arrival. */
  readonly #queue: Task[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: FairLimiterOptions) {
    this.#options = options;
  }

  /** Begins the task if there is a slot for it at once. */
  tryTake(task: Task): boolean {
    const now = performance.now();
    const isFree = this.#hasRoom(task) && this.#hasSlot(this.#burdenOf(task, now));
    if (isFree) this.#begin(task, now);
    return isFree;
  }

  free(task: Task): void {
    const now = performance.now();
    this.#running.delete(task);
    for (const { id, isUndebited } of task.accounts)
      if (!isUndebited) this.#recentUse.add(id, now - task.startedAt, now);
    this.#startNext();
  }

  /** Time in slots of the task's heaviest account, with that of running tasks. */
  #useOf({ accounts }: Task, now: number): number {
    const uses = accounts.map(({ id }) =>
      debitedTo(this.#running, id).reduce(
        (sum, { startedAt }) => sum + now - startedAt,
        this.#recentUse.of(id, now),
      ),
    );
    return Math.max(...uses);
  }

  /** The lowest goes first. Bulk work is never light, and comes after all else of an equal or lower use. */
  #burdenOf(task: Task, now: number): number {
    return this.#useOf(task, now) + (task.isBulk ? lightUseMs : 0);
  }

  #hasRoom({ accounts }: Task): boolean {
    return accounts.every(({ id, maxConcurrent }) => ofAccount(this.#running, id).length < maxConcurrent);
  }

  #hasSlot(burden: number): boolean {
    const { maxConcurrent, reserved } = this.#options;
    return this.#running.size < (isLight(burden) ? maxConcurrent : maxConcurrent - reserved);
  }

  /** @returns queued tasks that do not wait for tasks of their own accounts, in the order in which they get slots */
  #listNext(now: number): { task: Task; burden: number }[] {
    return this.#queue
      .filter((task) => this.#hasRoom(task))
      .map((task) => ({ task, burden: this.#burdenOf(task, now) }))
      .toSorted((a, b) => a.burden - b.burden);
  }

  #begin(task: Task, now: number): void {
    task.startedAt = now;
    this.#running.add(task);
    task.start();
  }

  #startNext(): void {
    const now = performance.now();
    while (this.#queue.length > 0 && this.#running.size < this.#options.maxConcurrent) {
      const next = this.#listNext(now).find(({ burden }) => this.#hasSlot(burden));
      if (next === undefined) break;
      this.#queue.splice(this.#queue.indexOf(next.task), 1);
      this.#begin(next.task, now);
    }
    this.#cutOffLate();
  }

  /**
   * Cuts off the tasks of heavier users that must end now for those who wait patiently to start in time. With three slots
   * the seventh in the queue needs three tasks to end one after the other, so each of these has a third of the time.
   */
  #cutOffLate(): void {
    clearTimeout(this.#timer);
    const now = performance.now();
    const waiting = this.#queue.some(({ due }) => due !== undefined) ? this.#listPatient(now) : [];
    if (waiting.length === 0) return;
    const slots = [...this.#running]
      .map((task) => ({ task, burden: this.#burdenOf(task, now) }))
      .toSorted((a, b) => b.burden - a.burden);
    let nextAt = Infinity;
    for (const [slot, { task, burden }] of slots.entries()) {
      const ends = waiting.flatMap(({ due, burden: burdenOfWaiter }, place) => {
        if (place % slots.length !== slot) return [];
        const turns = Math.floor(place / slots.length) + 1;
        const turnMs = Math.max(due.minTurnMs, (due.at - task.startedAt) / turns);
        const at = task.startedAt + turnMs;
        return burden + at - now > burdenOfWaiter ? [at] : [];
      });
      const endAt = Math.min(...ends);
      if (endAt <= now) task.cutOff.abort();
      else nextAt = Math.min(nextAt, endAt);
    }
    if (nextAt < Infinity) this.#timer = setTimeout(() => this.#cutOffLate(), nextAt - now + 1);
  }

  /** @returns those who wait patiently, as many of each account as it may run, in the order in which they get slots */
  #listPatient(now: number): { due: Due; burden: number }[] {
    const seen = new Map<string, number>();
    return this.#listNext(now).flatMap(({ task, burden }) => {
      const { due, accounts } = task;
      if (due === undefined || accounts.some(({ id, maxConcurrent: max }) => (seen.get(id) ?? 0) >= max))
        return [];
      for (const { id } of accounts) seen.set(id, (seen.get(id) ?? 0) + 1);
      return [{ due, burden }];
    });
  }

  /**
   * Refuses the last task of those who want most: the time that they used, and a slow statement for each queued task.
   * @throws if the new task would be that one
   */
  #makeRoom(task: Task, now: number, exceeded: () => LimitExceeded): void {
    const counts = new Map<string, number>();
    for (const { accounts } of this.#queue)
      for (const { id, isUndebited } of accounts) if (!isUndebited) counts.set(id, (counts.get(id) ?? 0) + 1);
    const wantedBy = (one: Task, more = 0) =>
      this.#burdenOf(one, now) +
      Math.max(...one.accounts.map(({ id }) => (counts.get(id) ?? 0) + more)) * lightUseMs;
    const wants = this.#queue.map((queued) => wantedBy(queued));
    const most = Math.max(...wants);
    if (wantedBy(task, 1) >= most) throw exceeded();
    this.#queue[wants.lastIndexOf(most)]!.refuse();
  }

  /** Resolves once the task has begun. @throws LimitExceeded */
  wait(task: Task, { usualMs, ownMs = 0, patientMs }: Terms): Promise<void> {
    const { bound, maxQueuedPerAccount, maxQueued } = this.#options;
    const now = performance.now();
    const isLightUser = isLight(this.#useOf(task, now));
    const isPatient = patientMs !== undefined && isLightUser && this.#hasRoom(task);
    const othersMs = isPatient ? patientMs : usualMs;
    const waitMs = isLightUser && !this.#hasRoom(task) ? Math.max(usualMs, ownMs) : othersMs;
    const exceeded = () => new LimitExceeded(bound, 'unavailable', retryAfter(waitMs));
    const isFullFor = ({ id, isUndebited, maxQueued: max = maxQueuedPerAccount }: Account) =>
      !isUndebited && debitedTo(this.#queue, id).length >= max;
    if (task.accounts.some(isFullFor)) throw exceeded();
    if (this.#queue.length >= maxQueued) this.#makeRoom(task, now, exceeded);
    if (isPatient)
      task.due = { at: now + patientMs * (1 - reactionShare), minTurnMs: patientMs * minTurnShare };
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => task.refuse(), waitMs);
      task.start = () => {
        clearTimeout(late);
        resolve();
      };
      task.refuse = () => {
        clearTimeout(late);
        this.#queue.splice(this.#queue.indexOf(task), 1);
        reject(exceeded());
      };
      this.#queue.push(task);
      this.#cutOffLate();
    });
  }
}

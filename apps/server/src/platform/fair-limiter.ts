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
  const { bound, maxConcurrent, reserved, maxQueuedPerAccount, maxQueued } = options;
  const recentUse = new LRUCache<string, { ms: number; at: number }>({
    maxSize: maxAccounts,
    sizeCalculation: () => 1,
  });
  const running = new Set<Task>();
  /** In the order of arrival. */
  const queue: Task[] = [];
  let timer: NodeJS.Timeout | undefined;

  const ofAccount = (tasks: Iterable<Task>, id: string) =>
    [...tasks].filter(({ accounts }) => accounts.some((account) => account.id === id));

  const debitedTo = (tasks: Iterable<Task>, id: string) =>
    [...tasks].filter(({ accounts }) =>
      accounts.some((account) => account.id === id && !account.isUndebited),
    );

  function pastUseOf(id: string, now: number): number {
    const past = recentUse.get(id);
    return past === undefined ? 0 : past.ms * 0.5 ** ((now - past.at) / halfLifeMs);
  }

  /** Time in slots of the task's heaviest account, with that of running tasks. */
  function useOf({ accounts }: Pick<Task, 'accounts'>, now: number): number {
    const uses = accounts.map(({ id }) =>
      debitedTo(running, id).reduce((sum, { startedAt }) => sum + now - startedAt, pastUseOf(id, now)),
    );
    return Math.max(...uses);
  }

  /** The lowest goes first. Bulk work is never light, and comes after all else of an equal or lower use. */
  const burdenOf = (task: Pick<Task, 'accounts' | 'isBulk'>, now: number) =>
    useOf(task, now) + (task.isBulk ? lightUseMs : 0);

  const hasRoom = ({ accounts }: Pick<Task, 'accounts'>) =>
    accounts.every(({ id, maxConcurrent: max }) => ofAccount(running, id).length < max);

  const isLight = (use: number) => use < lightUseMs;

  const hasSlot = (burden: number) =>
    running.size < (isLight(burden) ? maxConcurrent : maxConcurrent - reserved);

  /** @returns queued tasks that do not wait for tasks of their own accounts, in the order in which they get slots */
  function listNext(now: number): { task: Task; burden: number }[] {
    return queue
      .filter(hasRoom)
      .map((task) => ({ task, burden: burdenOf(task, now) }))
      .toSorted((a, b) => a.burden - b.burden);
  }

  function begin(task: Task, now: number): void {
    task.startedAt = now;
    running.add(task);
    task.start();
  }

  function end(task: Task): void {
    const now = performance.now();
    running.delete(task);
    for (const { id } of task.accounts.filter(({ isUndebited }) => !isUndebited))
      recentUse.set(id, { ms: pastUseOf(id, now) + now - task.startedAt, at: now });
    startNext();
  }

  function startNext(): void {
    const now = performance.now();
    while (queue.length > 0 && running.size < maxConcurrent) {
      const next = listNext(now).find(({ burden }) => hasSlot(burden));
      if (next === undefined) break;
      queue.splice(queue.indexOf(next.task), 1);
      begin(next.task, now);
    }
    cutOffLate();
  }

  /**
   * Cuts off the tasks of heavier users that must end now for those who wait patiently to start in time. With three slots
   * the seventh in the queue needs three tasks to end one after the other, so each of these has a third of the time.
   */
  function cutOffLate(): void {
    clearTimeout(timer);
    const now = performance.now();
    const waiting = queue.some(({ due }) => due !== undefined) ? listPatient(now) : [];
    if (waiting.length === 0) return;
    const slots = [...running]
      .map((task) => ({ task, burden: burdenOf(task, now) }))
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
    if (nextAt < Infinity) timer = setTimeout(cutOffLate, nextAt - now + 1);
  }

  /** @returns those who wait patiently, as many of each account as it may run, in the order in which they get slots */
  function listPatient(now: number): { due: Due; burden: number }[] {
    const seen = new Map<string, number>();
    return listNext(now).flatMap(({ task, burden }) => {
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
  function makeRoom(task: Task, now: number, exceeded: () => LimitExceeded): void {
    const counts = new Map<string, number>();
    for (const { accounts } of queue)
      for (const { id, isUndebited } of accounts) if (!isUndebited) counts.set(id, (counts.get(id) ?? 0) + 1);
    const wantedBy = (one: Task, more = 0) =>
      burdenOf(one, now) +
      Math.max(...one.accounts.map(({ id }) => (counts.get(id) ?? 0) + more)) * lightUseMs;
    const wants = queue.map((queued) => wantedBy(queued));
    const most = Math.max(...wants);
    if (wantedBy(task, 1) >= most) throw exceeded();
    queue[wants.lastIndexOf(most)]!.refuse();
  }

  function wait(task: Task, { usualMs, ownMs = 0, patientMs }: Terms): Promise<void> {
    const now = performance.now();
    const isLightUser = isLight(useOf(task, now));
    const isPatient = patientMs !== undefined && isLightUser && hasRoom(task);
    const othersMs = isPatient ? patientMs : usualMs;
    const waitMs = isLightUser && !hasRoom(task) ? Math.max(usualMs, ownMs) : othersMs;
    const exceeded = () => new LimitExceeded(bound, 'unavailable', retryAfter(waitMs));
    const isFullFor = ({ id, isUndebited, maxQueued: max = maxQueuedPerAccount }: Account) =>
      !isUndebited && debitedTo(queue, id).length >= max;
    if (task.accounts.some(isFullFor)) throw exceeded();
    if (queue.length >= maxQueued) makeRoom(task, now, exceeded);
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
        queue.splice(queue.indexOf(task), 1);
        reject(exceeded());
      };
      queue.push(task);
      cutOffLate();
    });
  }

  return async (accounts, terms, work) => {
    const now = performance.now();
    const task: Task = {
      accounts,
      isBulk: terms.isBulk === true,
      cutOff: new AbortController(),
      due: undefined,
      startedAt: now,
      start: () => {},
      refuse: () => {},
    };
    if (hasRoom(task) && hasSlot(burdenOf(task, now))) begin(task, now);
    else await wait(task, terms);
    try {
      return await work(task.cutOff.signal);
    } finally {
      end(task);
    }
  };
}

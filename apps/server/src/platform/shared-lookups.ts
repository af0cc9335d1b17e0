import { withinWaitBudget } from './wait-budget.ts';

/**
 * Lets look-ups with the same key share their result, so that any number at once needs two. A look-up never takes the
 * result of one that began before it: what was committed until it was asked for, it sees. Nobody waits for it longer
 * than the request may wait.
 * @param bound  what is looked up, for the log
 */
export function createSharedLookups<T>(bound: string): (key: string, lookUp: () => Promise<T>) => Promise<T> {
  const lookups = new Map<string, { current: Promise<T>; next: Promise<T> | undefined }>();

  function start(key: string, lookUp: () => Promise<T>): Promise<T> {
    const current = lookUp();
    const entry = { current, next: undefined };
    lookups.set(key, entry);
    const end = () => {
      if (lookups.get(key) === entry) lookups.delete(key);
    };
    current.then(end, end);
    return current;
  }

  function share(key: string, lookUp: () => Promise<T>): Promise<T> {
    const running = lookups.get(key);
    if (running === undefined) return start(key, lookUp);
    const startNext = () => start(key, lookUp);
    return (running.next ??= running.current.then(startNext, startNext));
  }

  return (key, lookUp) => withinWaitBudget(bound, () => share(key, lookUp));
}

import { withinWaitBudget } from './wait-budget.ts';

/**
 * Lets concurrent look-ups with the same key share a result, so that any number of them causes at most two. A look-up
 * never uses the result of one that began before it: it sees everything that was committed when it was requested. Callers
 * wait at most for the wait budget of their request.
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

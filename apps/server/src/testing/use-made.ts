import { after, before } from 'node:test';

/** Makes something before the tests of a suite. @returns the same, to be used in hooks and tests */
export function useMade<Made extends object>(make: () => Promise<Made>): Made {
  const made = {} as Made;
  before(async () => void Object.assign(made, await make()));
  return made;
}

/** Opens something before the tests of a suite, and closes it after them. @returns the same, to be used in hooks and tests */
export function useOpened<Opened extends { close: () => unknown }>(open: () => Promise<Opened>): Opened {
  let opened: Opened;
  before(async () => void (opened = await open()));
  after(async () => void (await opened.close()));
  return new Proxy({} as Opened, {
    get: (_, key) => Reflect.get(opened, key),
    set: (_, key, value) => Reflect.set(opened, key, value),
  });
}

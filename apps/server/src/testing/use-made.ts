import { before } from 'node:test';

/** Makes something before the tests of a suite. @returns the same, to be used in hooks and tests */
export function useMade<Made extends object>(make: () => Promise<Made>): Made {
  const made = {} as Made;
  before(async () => void Object.assign(made, await make()));
  return made;
}

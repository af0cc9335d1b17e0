import type { Services } from '../services.ts';

/** @returns the sign-in link; undefined where there is no demo */
export async function openDemo(_services: Services): Promise<string | undefined> {
  return await Promise.resolve(undefined);
}

import type { SetUpStep } from '@reachout/contract/content-backend.ts';

/** What a setup has made in a Directus, in order, and what it is making: it can break off anywhere, and what is made stays. */
export interface SetUpProgress {
  created: SetUpStep[];
  unfinished: SetUpStep[];
}

/** Makes what one request makes. */
export async function make(
  progress: SetUpProgress,
  steps: readonly SetUpStep[],
  work: () => Promise<unknown>,
): Promise<void> {
  progress.unfinished = [...steps];
  await work();
  progress.created.push(...steps);
  progress.unfinished = [];
}

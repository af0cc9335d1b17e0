import type { SetUpStep } from '@reachout/contract/content-backend.ts';

/** What a setup has created, in order, and what it is creating. It can fail at any step; earlier steps are not undone. */
export interface SetUpProgress {
  created: SetUpStep[];
  unfinished: SetUpStep[];
}

/** Runs one request and records the steps it completes. */
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

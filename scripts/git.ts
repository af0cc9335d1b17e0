import { execFileSync } from 'node:child_process';

/** @returns the output of the command; undefined if it fails: no repository, no such commit, branch or file */
export function git(root: string, ...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}

/** Finds the newest commit that this branch and main share; undefined without a main branch. */
export function findMergeBase(root: string): string | undefined {
  for (const main of ['origin/main', 'main']) {
    const commit = git(root, 'merge-base', 'HEAD', main)?.trim();
    if (commit !== undefined) return commit;
  }
  return undefined;
}

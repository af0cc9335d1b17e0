import { minPasswordLength } from '@reachout/contract/rules/lengths.ts';

export type Strength = 'short' | 'weak' | 'fair' | 'good' | 'strong';

const byScore = ['weak', 'weak', 'fair', 'good', 'strong'] as const;

/**
 * Estimates with zxcvbn how hard a password is to guess. Only a hint while typing; the server decides. The dictionaries are
 * 500 kB and loaded on the first call.
 * @param known  name and address, which are easy to guess
 */
export async function strengthOf(password: string, known: readonly string[] = []): Promise<Strength> {
  if (password.length < minPasswordLength) return 'short';
  estimator ??= loadEstimator();
  const estimate = await estimator;
  const words = known.flatMap((text) => [text, ...text.split(/[\s@._-]+/)]);
  return byScore[estimate(password, ['reachout', ...words])];
}

type Estimate = (password: string, words: string[]) => 0 | 1 | 2 | 3 | 4;
let estimator: Promise<Estimate> | undefined;

async function loadEstimator(): Promise<Estimate> {
  const [{ zxcvbn, zxcvbnOptions }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  zxcvbnOptions.setOptions({ dictionary, graphs: adjacencyGraphs });
  return (password, words) => zxcvbn(password, words).score;
}

import { minPasswordLength } from '@reachout/contract/rules/lengths.ts';

export type Strength = 'short' | 'weak' | 'fair' | 'good' | 'strong';

const byScore = ['weak', 'weak', 'fair', 'good', 'strong'] as const;

/**
 * How hard a password is to guess, by the estimate of zxcvbn. A hint while typing; the server decides.
 * The dictionaries have 500 kB and are loaded with the first operation.
 * @param known  name and address, which others know
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

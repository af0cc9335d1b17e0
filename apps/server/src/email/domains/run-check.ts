import { adviceOf, type DomainCheckResult } from '@reachout/contract/rules/domain-advice.ts';
import { createConcurrencyLimiter } from '../../platform/concurrency-limiter.ts';
import { queryLimits, systemResolvers, withLookups, type Lookups, type QueryLimits } from './resolver.ts';

export type DomainCheck = (lookups: Lookups) => Promise<DomainCheckResult>;

/**
 * Runs a check.
 * @throws LimitExceeded if too many checks are waiting
 */
export type CheckRunner = (check: DomainCheck) => Promise<DomainCheckResult>;

interface RunnerLimits extends QueryLimits {
  /** Time of all queries of one check; each resolver has an equal share. */
  totalMs: number;
  /** Checks at the same time; a resolver that does not answer occupies one for `totalMs`. */
  maxConcurrent: number;
}

const runnerLimits: RunnerLimits = { ...queryLimits, totalMs: 5_000, maxConcurrent: 8 };

/** As many as have to agree: more would leave each of them too little time. */
const maxResolvers = 2;

/**
 * The only place where resolvers are chosen. One that fails is replaced by the next. `pass` and `warn` need one resolver;
 * `fail` needs two that agree, if there are two: after a change, one may still have the earlier answer.
 * @param servers  as the setting DNS_SERVERS lists them; none for those of the system
 * @param limits  tests use shorter ones
 */
export function createCheckRunner(
  servers: readonly string[],
  limits: Partial<RunnerLimits> = {},
): CheckRunner {
  const { totalMs, maxConcurrent, ...queries } = { ...runnerLimits, ...limits };
  const limit = createConcurrencyLimiter({
    bound: 'checks of domains',
    maxConcurrent,
    maxQueued: 200,
    maxWaitMs: 30_000,
  });

  async function run(check: DomainCheck): Promise<DomainCheckResult> {
    const resolvers = (servers.length === 0 ? systemResolvers() : servers).slice(0, maxResolvers);
    const maxMs = totalMs / resolvers.length;
    let failed: DomainCheckResult | undefined;
    let last: DomainCheckResult | undefined;
    for (const server of resolvers) {
      const result = await withLookups(server, queries, maxMs, check);
      if (result.verdict === 'pass' || result.verdict === 'warn')
        return failed === undefined ? result : disagreement(failed);
      if (result.verdict === 'fail') {
        if (failed !== undefined || resolvers.length === 1) return result;
        failed = result;
      } else last = result;
    }
    if (last === undefined) throw new Error('This system has no DNS resolver.');
    return last;
  }

  return (check) => limit(limit, () => run(check));
}

const disagreement = (failed: DomainCheckResult): DomainCheckResult => ({
  ...failed,
  verdict: 'temporary_error',
  advice: [adviceOf('resolvers_disagree')],
});

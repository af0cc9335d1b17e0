import { adviceOf, type DomainCheckResult } from '@reachout/contract/rules/domain-advice.ts';
import { createConcurrencyLimiter } from '../../platform/concurrency-limiter.ts';
import type { DomainSetup } from './records-for.ts';
import type { TrackingProbe } from './probe-tracking.ts';
import { queryLimits, systemResolvers, withLookups, type Lookups, type QueryLimits } from './resolver.ts';

/** What answers a check; without a probe, the host of links is visited. */
export interface Answers {
  lookups: Lookups;
  probe?: TrackingProbe;
}

export type DomainCheck = (lookups: Lookups, probe?: TrackingProbe) => Promise<DomainCheckResult>;

/**
 * Runs a check.
 * @param setup  of the domain that is checked
 * @throws LimitExceeded if too many checks are waiting
 */
export type CheckRunner = (check: DomainCheck, setup?: DomainSetup) => Promise<DomainCheckResult>;

/** @returns what answers the checks of a domain instead of resolvers; undefined for all others */
export type AnswerDomain = (setup: DomainSetup) => Answers | undefined;

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
 * @param answer  for domains that no DNS has
 */
export function createCheckRunner(
  servers: readonly string[],
  limits: Partial<RunnerLimits> = {},
  answer: AnswerDomain = () => undefined,
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
      } else if (last === undefined || explains(result)) last = result;
    }
    if (last === undefined) throw new Error('This system has no DNS resolver.');
    return last;
  }

  return (check, setup) => {
    const answers = setup === undefined ? undefined : answer(setup);
    return answers === undefined ? limit(limit, () => run(check)) : check(answers.lookups, answers.probe);
  };
}

/** Whether a resolver has said what is wrong with a zone. */
const explains = ({ advice }: DomainCheckResult): boolean =>
  advice.some(({ code }) => code === 'zone_dnssec' || code === 'zone_unreachable');

const disagreement = (failed: DomainCheckResult): DomainCheckResult => ({
  ...failed,
  verdict: 'temporary_error',
  advice: [adviceOf('resolvers_disagree')],
});

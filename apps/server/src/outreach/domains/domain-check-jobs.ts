import { domainCheckKinds } from '@reachout/contract/states/domain.ts';
import { inOrganization, type Database } from '../../platform/database/database.ts';
import { handleRecurringJob, JobInterrupted, type JobHandler } from '../../platform/jobs/job-kind.ts';
import type { Log } from '../../platform/log.ts';
import { checkDomain, type CheckDeps, type InTransaction } from './check-domain.ts';
import { listDueDomains, planNextCheck, releaseUnused } from './domain-check.queries.ts';

/** Domains that are checked at the same time; the runner limits the checks that query the DNS. */
const concurrency = 16;
/** Domains that are looked for at once. */
const batchSize = 100;

export interface DomainCheckJobDeps extends CheckDeps {
  db: Database;
  log: Log;
}

/** Checks, every minute, the domains that are due: none waits for the name servers of another one. */
export const handleDomainChecks = ({ db, log, ...deps }: DomainCheckJobDeps): JobHandler => {
  const checkAll = async (
    { organization_id, id }: { organization_id: string; id: string },
    signal: AbortSignal,
  ) => {
    const run: InTransaction = (work) => inOrganization(db, organization_id, work);
    if (signal.aborted) throw new JobInterrupted();
    // Planned first: a domain whose check fails here is not due again at once.
    if (!(await run((trx) => planNextCheck(trx, id)))) return;
    if (!(await run((trx) => releaseUnused(trx, id)))) return;
    for (const kind of domainCheckKinds) {
      // The others are made in the next round of this domain.
      if (signal.aborted) throw new JobInterrupted();
      try {
        await checkDomain(deps, run, { domainId: id, kind });
      } catch (error) {
        // Deleted meanwhile.
        log.warn(
          { err: error, organization_id, domain_id: id, check: kind },
          'a domain could not be checked',
        );
      }
    }
  };
  return handleRecurringJob('domain_checks', 60_000, async (_job, signal) => {
    for (;;) {
      const due = await listDueDomains(db, batchSize);
      if (due.length === 0) return;
      const waiting = due.values();
      await Promise.all(
        Array.from({ length: concurrency }, async () => {
          for (const domain of waiting) await checkAll(domain, signal);
        }),
      );
    }
  });
};

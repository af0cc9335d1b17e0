import type { RecipientGroup } from '@reachout/contract/statuses.ts';
import { Resolver } from 'node:dns/promises';
import type { Database } from '../../platform/database/database.ts';
import { handleRecurringJob, JobInterrupted, type JobHandler } from '../../platform/jobs/job-kind.ts';
import type { Log } from '../../platform/log.ts';
import { groupOfMx, isReservedDomain, wellKnownDomains, type MxRecord } from './recipient-group.ts';
import {
  deleteOldDomains,
  listDueDomains,
  postponeDomains,
  updateGroups,
  upsertWantedDomains,
} from './recipient-domains.queries.ts';

/** Domains that are looked up concurrently. */
const batchSize = 50;
const timeoutMs = 5_000;

export interface RecipientDomainOptions {
  db: Database;
  log: Log;
  /** @throws an error with the code of c-ares, such as `ENOTFOUND` */
  resolveMx?: (domain: string) => Promise<MxRecord[]>;
}

/** Requests look-ups for the domains whose group is unknown, or was looked up more than 24 hours ago. */
export async function wantRecipientGroups(
  { db, log }: { db: Database; log: Pick<Log, 'warn'> },
  domains: readonly string[],
): Promise<void> {
  const wanted = domains.filter((domain) => !isReservedDomain(domain) && !wellKnownDomains.has(domain));
  if (wanted.length === 0) return;
  const leftOut = await upsertWantedDomains(db, wanted);
  if (leftOut > 0)
    log.warn(
      { bound: 'recipient domains' },
      'there are too many domains of recipients: new ones are not looked up',
    );
}

/** Looks up, every minute, which mail providers the domains of recipients use. */
export const handleRecipientDomains = ({
  db,
  resolveMx = createResolver(),
}: RecipientDomainOptions): JobHandler =>
  handleRecurringJob('recipient_domains', 60_000, async (_job, signal) => {
    for (;;) {
      if (signal.aborted) throw new JobInterrupted();
      const domains = await listDueDomains(db, batchSize);
      if (domains.length === 0) break;
      const found = new Map<string, RecipientGroup>();
      const unanswered: string[] = [];
      const lookUp = async (domain: string) => {
        const group = await findGroup(resolveMx, domain);
        if (group === undefined) unanswered.push(domain);
        else found.set(domain, group);
      };
      await Promise.all(domains.map(lookUp));
      await updateGroups(db, found);
      await postponeDomains(db, unanswered);
    }
    await deleteOldDomains(db);
  });

function createResolver(): (domain: string) => Promise<MxRecord[]> {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
  return (domain) => resolver.resolveMx(domain);
}

/** @returns undefined when DNS did not respond */
async function findGroup(
  resolveMx: (domain: string) => Promise<MxRecord[]>,
  domain: string,
): Promise<RecipientGroup | undefined> {
  try {
    return groupOfMx(await resolveMx(domain));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // There is no MX record: mail goes to the host itself (RFC 5321, section 5.1), or nowhere.
    return code === 'ENOTFOUND' || code === 'ENODATA' || code === 'EBADNAME' ? 'other' : undefined;
  }
}

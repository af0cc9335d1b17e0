import { listOptOutsSince, suppressElsewhere } from '../../contacts/consent/suppress-addresses.ts';
import {
  addProviderUnsubscribes,
  listProviderSuppressions,
  type ProviderSuppression,
} from '../../email/transports/provider-suppressions.ts';
import type { OwnTransport } from '../../email/transports/own-transport.ts';
import { inOrganization, type Transaction } from '../../platform/database/database.ts';
import { handleRecurringJob, JobInterrupted, type JobHandler } from '../../platform/jobs/job-kind.ts';
import { findOwn, type OwnTransportDeps } from './own-transports.ts';
import { listDueTransports, noteSuppressionsRead, type DueTransport } from './transport.queries.ts';

const batchSize = 100;
/** Addresses that are entered in one transaction. */
const maxEntered = 1_000;
const hourMs = 3_600_000;
/** Providers that are read at the same time: one that is slow holds up no others. */
const concurrency = 4;

/**
 * Once a day for each transport with a provider: what it suppresses is suppressed here, too, and who unsubscribed here from all brands
 * is told to it. A provider that cannot be read now is asked again an hour later.
 */
export const handleProviderSuppressions = ({
  db,
  secrets,
  outbound,
  log,
  endpoints,
}: OwnTransportDeps): JobHandler => {
  const reconcile = async (transport: DueTransport): Promise<void> => {
    const { organization_id, id, read_at } = transport;
    const run = <T>(work: (trx: Transaction) => Promise<T>) => inOrganization(db, organization_id, work);
    const own = await run((trx) => findOwn(trx, secrets, organization_id, id));
    if (own === undefined) return;
    const begunAt = new Date();
    const since = read_at === null ? undefined : new Date(read_at);
    for await (const found of inParts(own, since))
      await run((trx) => suppressElsewhere(trx, organization_id, found));
    await addProviderUnsubscribes(
      own,
      { outbound, endpoints },
      await run((trx) => listOptOutsSince(trx, organization_id, since)),
    );
    await run((trx) => noteSuppressionsRead(trx, transport, begunAt));
  };

  async function* inParts(own: OwnTransport, since: Date | undefined) {
    let part: ProviderSuppression[] = [];
    for await (const one of listProviderSuppressions(own, { outbound, endpoints }, since)) {
      part.push(one);
      if (part.length === maxEntered) {
        yield part;
        part = [];
      }
    }
    if (part.length > 0) yield part;
  }

  return handleRecurringJob('provider_suppressions', hourMs, async (_job, signal) => {
    const waiting = (await listDueTransports(db, batchSize)).values();
    const readAll = async () => {
      for (const transport of waiting) {
        if (signal.aborted) throw new JobInterrupted();
        await reconcile(transport).catch(async (error: unknown) => {
          log.warn({ err: error, transport: transport.id }, 'suppressions of a provider not read');
          await inOrganization(db, transport.organization_id, (trx) =>
            noteSuppressionsRead(trx, transport, undefined),
          );
        });
      }
    };
    await Promise.all(Array.from({ length: concurrency }, readAll));
  });
};

import { setTimeout as delay } from 'node:timers/promises';
import {
  deleteErasedBindings,
  listErasedBindings,
  listOrganizationsToErase,
  type ErasedBinding,
} from '../contacts/people/erase-contact.ts';
import {
  inOrganization,
  limitStatements,
  transactionAs,
  type Database,
  type Transaction,
} from '../platform/database/database.ts';
import { handleRecurringJob, JobInterrupted, type JobHandler } from '../platform/jobs/job-kind.ts';
import { eraseHintsOf, lockOutFolds } from './visitors.queries.ts';

const maxOrganizations = 1_000;
const visitorsAtOnce = 10;
/** Events per transaction, during which no events are folded. */
const eventsAtOnce = 5_000;
/** A busy website has many events in the time of a session. */
const statementMs = 60_000;

interface HintDeps {
  db: Database;
  /** Erases what higher layers store of the visitor, for as long as it was the contact. */
  eraseVisitorOfContact: (trx: Transaction, organizationId: string, binding: ErasedBinding) => Promise<void>;
}

/**
 * Erases what pages said about the visitors that deleted contacts were, and then what bound them to the contacts. A job,
 * because it takes as long as folds and the events of the website need.
 */
export const handleHints = ({ db, eraseVisitorOfContact }: HintDeps): JobHandler =>
  handleRecurringJob('visitor_hints', 60_000, async (_job, signal) => {
    const organizations = await transactionAs(db, {}, (trx) =>
      listOrganizationsToErase(trx, maxOrganizations),
    );
    for (const organizationId of organizations) {
      let erased = visitorsAtOnce;
      while (erased === visitorsAtOnce) {
        if (signal.aborted) throw new JobInterrupted();
        erased = await eraseSome({ db, eraseVisitorOfContact }, organizationId, signal);
      }
    }
  });

async function eraseSome(
  { db, eraseVisitorOfContact }: HintDeps,
  organizationId: string,
  signal: AbortSignal,
): Promise<number> {
  const locked = <T>(work: (trx: Transaction) => Promise<T>) =>
    inOrganization(db, organizationId, async (trx) => {
      await limitStatements(trx, statementMs);
      // A fold would miss events that change, and add those that it has read before.
      await lockOutFolds(trx);
      return await work(trx);
    });
  const bindings = await inOrganization(db, organizationId, (trx) =>
    listErasedBindings(trx, organizationId, visitorsAtOnce),
  );
  for (const binding of bindings) {
    const eraseBatch = async (trx: Transaction) => {
      const erased = await eraseHintsOf(trx, organizationId, binding, eventsAtOnce);
      // What names the contact goes last, in the transaction that found nothing more.
      if (erased < eventsAtOnce) {
        await eraseVisitorOfContact(trx, organizationId, binding);
        await deleteErasedBindings(trx, organizationId, [binding]);
      }
      return erased;
    };
    let startedAt = performance.now();
    while ((await locked(eraseBatch)) === eventsAtOnce) {
      if (signal.aborted) throw new JobInterrupted();
      // Events of all organizations are folded in between, however many a visitor has.
      await delay(performance.now() - startedAt);
      startedAt = performance.now();
    }
  }
  return bindings.length;
}

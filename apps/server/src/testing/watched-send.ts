import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { decideUncertain, resumeSend } from '../delivery/sends/change-send.ts';
import { execute, onlyValueOf, inOrganization, type Database } from '../platform/database/database.ts';
import { notifyWorkers } from '../platform/database/notify.ts';
import { countAccounts, type Accounts } from './send-accounts.ts';
import { buildDueSend, type SendFixture } from './send-fixture.ts';
import { waitUntil } from './wait-until.ts';
import { createWaker } from './wake-workers.ts';
import { unlessAway, watchAccounts, type AccountsWatch } from './watch-accounts.ts';

/** A send under faults. Its counters are checked continuously; tests advance the time and resume it until it ends. */
export interface WatchedSend {
  fixture: SendFixture;
  watch: AccountsWatch;
  waitFor: (what: string, isSo: (accounts: Accounts) => boolean) => Promise<Accounts>;
  /** Waits until no message is in flight: the remaining ones are deferred or wait for a person's decision. */
  waitUntilResting: () => Promise<Accounts>;
  /** Moves the times of all waiting messages into the past. */
  letMinutesPass: (minutes: number) => Promise<void>;
  /** Expires all leases of workers. */
  expireLeases: () => Promise<void>;
  /**
   * Whenever nothing is in flight: makes waiting messages due, retries uncertain ones, and resumes a paused send.
   * @returns the accounts after the end
   * @throws AssertionError when the counters did not balance at some reading, or a recipient has no result
   */
  finish: () => Promise<Accounts>;
}

const mostRounds = 100;

export async function startWatchedSend(
  { owner, app }: { owner: Database; app: Database },
  options: Parameters<typeof buildDueSend>[1],
): Promise<WatchedSend> {
  const fixture = await buildDueSend(owner, options);
  const { organizationId, sendId } = fixture;
  const watch = watchAccounts(owner, sendId);

  const wakeWorkers = createWaker(owner);
  const read = () => unlessAway(() => countAccounts(owner, sendId));

  const waitFor: WatchedSend['waitFor'] = (what, isSo) =>
    waitUntil(what, async () => {
      const accounts = await read();
      return accounts !== undefined && isSo(accounts) ? accounts : undefined;
    });

  const waitUntilResting = () =>
    waitUntil('the send rests', async () => {
      const accounts = await read();
      if (accounts === undefined) return undefined;
      await unlessAway(wakeWorkers);
      const waiting = await unlessAway(() => countWaiting(owner, sendId));
      const open = accounts.queued + accounts.counters.uncertain;
      // When no message is open, the send is about to end.
      const isResting = accounts.status === 'sending' && open > 0 && waiting === open;
      return accounts.hasEnded || accounts.status === 'paused' || isResting ? accounts : undefined;
    });

  const changeWaiting = (change: ReturnType<typeof sql>) =>
    owner.transaction().execute(async (trx) => {
      await execute(trx)`
        update delivery_queue set ${change}
        where send_id = ${sendId} and due_at is not null and worker_id is null
      `;
      await execute(trx)`
        update touchpoint_sends set next_due_at = now() where id = ${sendId} and status = 'sending'`;
      await notifyWorkers(trx);
    });

  const goOn = async ({ status }: Accounts) => {
    await changeWaiting(sql`due_at = now()`);
    await inOrganization(app, organizationId, async (trx) => {
      if (status === 'paused') await resumeSend(trx, sendId);
      else await decideUncertain(trx, sendId, 'retry');
      // It may have ended or been paused meanwhile.
    }).catch(() => undefined);
  };

  return {
    fixture,
    watch,
    waitFor,
    waitUntilResting,
    letMinutesPass: (minutes) =>
      changeWaiting(sql`
        due_at = due_at - make_interval(mins => ${minutes}),
        first_attempt_at = first_attempt_at - make_interval(mins => ${minutes})`),
    expireLeases: async () => {
      for (const table of ['delivery_chunks', 'delivery_queue']) {
        await execute(owner)`
          update ${sql.table(table)} set lease_until = now() - interval '1 s'
          where send_id = ${sendId} and worker_id is not null
        `;
      }
    },
    finish: async () => {
      for (let round = 0; round < mostRounds; round += 1) {
        const accounts = await waitUntilResting();
        if (!accounts.hasEnded) {
          await goOn(accounts);
          continue;
        }
        await watch.stop();
        assert.equal(accounts.status, 'completed');
        assert.equal(accounts.queued + accounts.counters.uncertain, 0);
        return accounts;
      }
      throw new Error(`The send has not ended after ${mostRounds} rounds.`);
    },
  };
}

/** @returns the number of queued messages that are not leased and not due */
async function countWaiting(owner: Database, sendId: string): Promise<number> {
  return await onlyValueOf<number>(owner)`
    select count(*) as count from delivery_queue
    where send_id = ${sendId} and worker_id is null and (due_at is null or due_at > now())
  `;
}

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { MailTransport } from '../../email/transports/transport.ts';
import type { SenderPolicies } from '../../email/transports/sender-policy.ts';
import { listRows } from '../../testing/rows.ts';
import { mailboxPolicies } from '../../testing/mailbox-policies.ts';
import { buildDueSend } from '../../testing/send-fixture.ts';
import { startSendWorker, useSendDatabase } from '../../testing/send-worker.ts';
import { startSmtpSink } from '../../testing/smtp-sink.ts';
import { waitUntil } from '../../testing/wait-until.ts';

/** As many as a worker opens, and some more. */
const [most, more] = [50, 3];

suite('many transports of organizations', () => {
  const database = useSendDatabase();

  test('sends wait for a transport without failing, and hide no others', async (t) => {
    const sink = await startSmtpSink();
    const { promise: held, resolve: respond } = Promise.withResolvers<void>();
    const slow: MailTransport = {
      capacity: 4,
      hasOneLane: true,
      usage: { connections: 1, slots: 2, slotsInUse: 0, slotsHeldLong: 0 },
      send: async () => {
        await held;
        return { result: { outcome: 'accepted', reference: null }, settle: () => undefined };
      },
      close: () => Promise.resolve(),
    };
    let last = '';
    const policies: SenderPolicies = {
      ...mailboxPolicies,
      of: async (trx, scope) => {
        const policy = await mailboxPolicies.of(trx, scope);
        if (scope.organizationId === last) return policy;
        const limits = { perSecond: null, perDay: null, leftToday: null };
        return {
          ...policy,
          own: { id: scope.organizationId, name: 'Own', kind: 'smtp', version: 1, ...limits },
        };
      },
    };
    const { owner } = database;
    for (let count = 0; count < most + more; count += 1) await buildDueSend(owner, { contacts: 1 });
    const worker = startSendWorker(database, {
      url: sink.url,
      connections: 1,
      inFlightLimit: 1_000,
      policies,
      openOwn: () => Promise.resolve(slow),
    });
    t.after(async () => {
      respond();
      await worker.stop();
      await sink.close();
    });
    const waiting = async () =>
      (
        await listRows(owner, 'touchpoint_sends', ['status', 'error', 'worker_deaths', 'next_due_at'], {})
      ).filter(({ error }) => error !== null);
    await waitUntil('the others wait', async () => (await waiting()).length === more);
    const dueAt = new Set((await waiting()).map(({ next_due_at }) => String(next_due_at)));
    await waitUntil('they were looked at again', async () => {
      await owner
        .updateTable('touchpoint_sends')
        .set({ next_due_at: new Date().toISOString() })
        .where('error', 'is not', null)
        .execute();
      const now = await waiting();
      for (const { next_due_at } of now) dueAt.add(String(next_due_at));
      return dueAt.size > 5 * more;
    });
    for (const send of await waiting()) {
      assert.deepEqual(
        [send.status, send.worker_deaths, send.error?.code],
        ['sending', 0, 'mail_server_away'],
      );
    }
    ({ organizationId: last } = await buildDueSend(owner, { contacts: 3 }));
    await waitUntil('another one is sent', () => sink.taken.length === 3);
  });
});

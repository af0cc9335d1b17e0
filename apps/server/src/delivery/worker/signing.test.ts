import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, suite, test } from 'node:test';
import { sql } from 'kysely';
import { createSigner } from '../../email/dkim/create-signer.ts';
import { verifySignature } from '../../email/dkim/verify-signature.ts';
import type { SenderPolicies } from '../../email/transports/sender-policy.ts';
import type { PrepareMessage } from '../../email/transports/transport.ts';
import { inOrganization, type Database } from '../../platform/database/database.ts';
import { keyRecordOf, makeDkimKey } from '../../testing/dkim-key.ts';
import { mailboxPolicies } from '../../testing/mailbox-policies.ts';
import { countAccounts, readSendError } from '../../testing/send-accounts.ts';
import { buildDueSend, type SendFixture } from '../../testing/send-fixture.ts';
import { startSendWorker, useSendDatabase } from '../../testing/send-worker.ts';
import { startSmtpSink, type SmtpSink } from '../../testing/smtp-sink.ts';
import { verifyWithMailauth } from '../../testing/verify-with-mailauth.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { assertBalanced } from '../../testing/watch-accounts.ts';
import { resumeSend } from '../sends/change-send.ts';

const privateKey = makeDkimKey();
const keyRecord = keyRecordOf(privateKey);
const key = { domain: 'nordwind.example', selector: 'r1', privateKey };

suite('signing', () => {
  const workers: ReturnType<typeof startSendWorker>[] = [];
  const stopWorkers = async () => void (await Promise.all(workers.splice(0).map((worker) => worker.stop())));
  const database = useSendDatabase(stopWorkers);
  let owner: Database;
  let app: Database;
  let sink: SmtpSink;

  before(() => ({ owner, app } = database));
  beforeEach(async () => {
    sink = await startSmtpSink({ keepMessages: true });
  });
  afterEach(async () => {
    await sink.close();
    await stopWorkers();
  });

  /** @param prepare  called when a send is loaded */
  const startWorker = (prepare: () => PrepareMessage) => {
    const policies: SenderPolicies = {
      ...mailboxPolicies,
      preparationOf: async () => prepare(),
    };
    workers.push(
      startSendWorker(database, {
        url: sink.url,
        connections: 8,
        backOffMs: 50,
        inFlightLimit: 64,
        policies,
      }),
    );
  };

  const waitFor = (status: string, fixture: SendFixture) =>
    waitUntil(`the send is ${status}`, async () => {
      const accounts = await countAccounts(owner, fixture.sendId);
      return accounts.status === status ? accounts : undefined;
    });

  const resume = ({ organizationId, sendId }: SendFixture) =>
    inOrganization(app, organizationId, (trx) => resumeSend(trx, sendId));

  function assertAllSigned(recipients: number): void {
    assert.equal(sink.taken.length, recipients);
    assert.equal(new Set(sink.taken.map(({ recipient }) => recipient)).size, recipients);
    for (const { raw, recipient } of sink.taken)
      assert.equal(verifySignature(Buffer.from(raw, 'latin1'), keyRecord), undefined, recipient);
  }

  test('all messages of a send arrive with a valid signature (EML-8)', async () => {
    const fixture = await buildDueSend(owner, { contacts: 300 });
    const odd = ['a\rb\nc\r\n.d', '.\r\n..', '  Jürgen  \t ', `\r\nSubject: x\r\n\r\n`, '𝄞'.repeat(200)];
    for (const [index, name] of odd.entries())
      await sql`
        update content_items
        set data = data || jsonb_build_object('first_name', ${name}::text, 'last_name', ${name}::text)
        where organization_id = ${fixture.organizationId} and id = ${`contact-00000000${index + 1}`}
      `.execute(owner);
    startWorker(() => createSigner(key));
    const accounts = await waitFor('completed', fixture);
    assert.equal(accounts.counters.sent, 300);
    assertBalanced(accounts);
    assertAllSigned(300);
    const seen = sink.taken.filter(({ recipient }) => /^user[1-9]@/.test(recipient));
    assert.equal(seen.length, 9);
    for (const { raw } of seen)
      assert.deepEqual(
        await verifyWithMailauth(Buffer.from(raw, 'latin1'), {
          'r1._domainkey.nordwind.example': keyRecord,
        }),
        ['pass'],
      );
  });

  test('a send without a usable key pauses before its first message (EML-8)', async () => {
    const fixture = await buildDueSend(owner, { contacts: 300 });
    let privateKeyOfPolicy = 'no key';
    startWorker(() => createSigner({ ...key, privateKey: privateKeyOfPolicy }));
    const paused = await waitFor('paused', fixture);
    assert.partialDeepStrictEqual(await readSendError(owner, fixture.sendId), {
      code: 'dkim_key_unusable',
      values: { domain: 'nordwind.example' },
    });
    assert.equal(paused.queued, 300);
    assertBalanced(paused);
    assert.equal(sink.taken.length, 0);

    privateKeyOfPolicy = privateKey;
    await resume(fixture);
    const accounts = await waitFor('completed', fixture);
    assert.equal(accounts.counters.sent, 300);
    assertBalanced(accounts);
    assertAllSigned(300);
    assert.equal(await readSendError(owner, fixture.sendId), null);
  });

  test('a key that fails midway pauses the send and loses nothing (EML-8)', async () => {
    const fixture = await buildDueSend(owner, { contacts: 600 });
    let signed = 0;
    let isBroken = true;
    startWorker(() => {
      const sign = createSigner(key);
      return (message) => {
        signed += 1;
        // The key of another domain.
        return sign(isBroken && signed > 100 ? { ...message, fromDomain: 'other.example' } : message);
      };
    });
    const paused = await waitFor('paused', fixture);
    assert.partialDeepStrictEqual(await readSendError(owner, fixture.sendId), { code: 'dkim_key_unusable' });
    // What was signed before may still be with the mail server when the send pauses.
    const atRest = await waitUntil('nothing is in progress', async () => {
      const accounts = await countAccounts(owner, fixture.sendId);
      return accounts.counters.sent === sink.taken.length ? accounts : undefined;
    });
    assertBalanced(atRest);
    assert.ok(atRest.counters.sent > 0 && atRest.counters.sent <= 100, `${atRest.counters.sent} sent`);
    assert.equal(atRest.queued, 600 - atRest.counters.sent);
    assert.equal(paused.counters.failed, 0);
    assertAllSigned(atRest.counters.sent);

    isBroken = false;
    await resume(fixture);
    const accounts = await waitFor('completed', fixture);
    assert.equal(accounts.counters.sent, 600);
    assertBalanced(accounts);
    assertAllSigned(600);
  });

  test('a standstill of the process fails no message in preparation', async () => {
    const fixture = await buildDueSend(owner, { contacts: 1 });
    let hasStoodStill = false;
    startWorker(() => {
      const sign = createSigner(key);
      return (message) => {
        // Signed meanwhile in another thread, but noticed only after the time for it is over.
        if (!hasStoodStill)
          queueMicrotask(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_500));
        hasStoodStill = true;
        return sign(message);
      };
    });
    const accounts = await waitFor('completed', fixture);
    assert.equal(accounts.counters.sent, 1);
    assertAllSigned(1);
  });
});

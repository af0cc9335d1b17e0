import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { createTestApp, type TestApp } from './testing/app.ts';
import { createAuthClient } from './testing/auth-client.ts';
import { buildClient, buildOrganization, buildUser } from './sample/records.ts';
import { listRows } from './testing/rows.ts';
import { startSmtpSink, type SmtpSink } from './testing/smtp-sink.ts';
import { waitUntil } from './testing/wait-until.ts';
import { startWorkerProcess, workerSecretKey, type WorkerProcess } from './testing/worker-process.ts';

const asked = 60;

suite('limits of mails to strangers (RATE-2)', () => {
  let app: TestApp;
  let sink: SmtpSink;
  let worker: WorkerProcess;

  before(async () => {
    app = await createTestApp({ secretKey: workerSecretKey, trustedProxies: ['127.0.0.1'] });
    sink = await startSmtpSink({ keepMessages: true });
    worker = startWorkerProcess(app, sink.url);
  });
  after(async () => {
    await worker.kill();
    await sink.close();
    await app.close();
  });

  /** Waits until no email is queued. @returns the recipients */
  const recipients = async () => {
    await waitUntil('every mail is accounted for', async () => {
      const waiting = await listRows(app.owner, 'account_email_outbox', ['id'], { ended_at: null });
      return waiting.length === 0;
    });
    return sink.taken.splice(0).map(({ recipient }) => recipient);
  };
  /** Sends sixty requests, six at a time. @returns the number of successful ones */
  const askOften = async (ask: (index: number) => Promise<{ status: number }>) => {
    const statuses: number[] = [];
    for (let from = 0; from < asked; from += 6) {
      const responses = await Promise.all(Array.from({ length: 6 }, (_, index) => ask(from + index)));
      statuses.push(...responses.map(({ status }) => status));
    }
    assert.deepEqual(
      statuses.filter((status) => status !== 200 && status !== 429),
      [],
    );
    return statuses.filter((status) => status === 200).length;
  };

  test('an organization can send 50 invitations a day', async () => {
    const { id } = await buildOrganization(app.owner);
    const client_ids = [(await buildClient(app.owner, { organization_id: id })).id];
    const inviters = [await app.signInMember(id, 'owner'), await app.signInMember(id, 'admin')];
    const heard = await askOften((index) =>
      app.request('POST', '/api/organizations/invitations/create', {
        body: { organization_id: id, emails: [`stranger${index}@many.example`], role: 'guest', client_ids },
        as: inviters[index % 2],
      }),
    );
    assert.equal(heard, 50);
    const arrived = await recipients();
    assert.deepEqual([arrived.length, new Set(arrived).size], [50, 50]);
  });

  for (const [what, path] of [
    ['codes', 'sign-in/code'],
    ['links for a new password', 'reset-password'],
  ] as const) {
    test(`an address gets at most five ${what} an hour`, async () => {
      const { email } = await buildUser(app.owner);
      const heard = await askOften(() => createAuthClient(app).post(path, { email }));
      assert.equal(heard, 5);
      const arrived = await recipients();
      // A code that is replaced before it was sent is not sent.
      assert.ok(arrived.length >= 1 && arrived.length <= 5, String(arrived.length));
      assert.deepEqual([...new Set(arrived)], [email]);
    });
  }
});

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { simpleParser } from 'mailparser';
import { createTestApp, type TestApp } from '../../testing/app.ts';
import { buildUser } from '../../sample/records.ts';
import { startSmtpSink, type SmtpSink } from '../../testing/smtp-sink.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { startWorkerProcess, workerSecretKey, type WorkerProcess } from '../../testing/worker-process.ts';

suite('sign-in codes of a killed worker', () => {
  let app: TestApp;
  let sink: SmtpSink;
  const workers: WorkerProcess[] = [];

  before(async () => {
    app = await createTestApp({ secretKey: workerSecretKey });
    sink = await startSmtpSink({ keepMessages: true });
  });
  after(async () => {
    await Promise.all(workers.map((worker) => worker.kill()));
    await sink.close();
    await app.close();
  });

  const startWorker = () => {
    const worker = startWorkerProcess(app, sink.url);
    workers.push(worker);
    return worker;
  };

  test('another worker sends the code in the right language', { timeout: 180_000 }, async () => {
    const { email } = await buildUser(app.owner, { preferences: JSON.stringify({ language: 'de' }) });
    const post = (path: string, body: object, cookie = '') =>
      app.app.inject({
        method: 'POST',
        url: `/api/auth/${path}`,
        headers: { origin: app.services.config.publicUrl, 'accept-language': 'en', cookie },
        payload: body,
      });
    const asked = await post('sign-in/code', { email });
    assert.equal(asked.statusCode, 200, asked.body);
    const cookie = asked.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ');

    const first = startWorker();
    sink.beforeAnswer = () => first.kill();
    await waitUntil('the first has handed it over, and is gone', () => sink.taken.length === 1);
    await first.kill();
    sink.beforeAnswer = () => Promise.resolve();
    startWorker();
    const mail = await waitUntil('the next has handed it over', () => sink.taken[1]);
    assert.equal(mail.recipient, email);
    assert.equal(mail.messageId, sink.taken[0]?.messageId);

    const { text = '', html, headers } = await simpleParser(mail.raw);
    assert.match(String(html), /<html lang="de">/);
    assert.equal(headers.get('content-language'), 'de');
    const code = /\d{6}/.exec(text)?.[0];
    const verified = await post('sign-in/code/verify', { code }, cookie);
    assert.equal(verified.statusCode, 200, verified.body);
    const row = await waitUntil('it is accounted for', () =>
      app.owner
        .selectFrom('account_email_outbox as m')
        .innerJoin('jobs as j', (join) => join.on(sql<boolean>`j.key = m.id::text`))
        .selectAll('m')
        .select('j.attempts')
        .where('m.ended_at', 'is not', null)
        .where('j.state', '=', 'finished')
        .executeTakeFirst(),
    );
    assert.equal(row.attempts, 2);
    // The stored row does not allow a sign-in.
    assert.doesNotMatch(JSON.stringify(row), new RegExp(code ?? 'no code'));
  });
});

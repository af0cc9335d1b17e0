import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { simpleParser } from 'mailparser';
import { createSmtpPool } from '../../email/smtp/smtp-pool.ts';
import type { MailTransport } from '../../email/transports/transport.ts';
import { transactionAs, type Database } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { createLog, type Log } from '../../platform/log.ts';
import { createSecrets } from '../../platform/secrets.ts';
import { useSendDatabase } from '../../testing/send-worker.ts';
import { startJobWorker } from '../../testing/job-worker.ts';
import { deleteRows, updateRows } from '../../testing/rows.ts';
import { startSmtpSink, type SmtpSink } from '../../testing/smtp-sink.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { enqueueAccountEmail } from './enqueue-account-email.ts';
import type { ComposeAccountEmail, AccountEmailJob } from './account-email.ts';
import { handleAccountEmails } from './account-email-jobs.ts';

const minute = 60_000;

suite('account email', () => {
  const database = useSendDatabase();
  let owner: Database;
  let db: Database;
  let sink: SmtpSink;
  const ends: (() => Promise<unknown>)[] = [];

  before(async () => {
    ({ owner, auth: db } = database);
    sink = await startSmtpSink({ keepMessages: true });
  });
  afterEach(async () => {
    await Promise.all(ends.splice(0).map((end) => end()));
    await deleteRows(owner, 'account_email_outbox');
    await deleteRows(owner, 'jobs');
    sink.taken.length = 0;
    sink.refuse = () => undefined;
    sink.beforeAnswer = () => Promise.resolve();
  });
  after(async () => {
    await sink.close();
  });

  const hello: ComposeAccountEmail = () =>
    Promise.resolve({ subject: 'Hello', paragraphs: ['Hello.'], notes: [] });

  interface WorkerSettings {
    compose?: ComposeAccountEmail;
    url?: string;
    log?: Log;
    transport?: Pick<MailTransport, 'send'>;
  }

  /** Starts a worker, wired as in worker.ts. */
  function startWorker({
    compose = hello,
    url = sink.url,
    log = createLog('silent'),
    transport,
  }: WorkerSettings = {}) {
    const pool = createSmtpPool({ url, connections: 16, backOffMs: 10 });
    const handler = handleAccountEmails({
      db,
      log,
      transport: transport ?? pool,
      compose: new Proxy({}, { get: () => compose }) as never,
      secrets: createSecrets(randomBytes(32).toString('base64url')),
      publicUrl: 'https://reachout.example',
      sender: 'reachout@reachout.example',
    });
    const worker = startJobWorker(database, [handler], log);
    ends.push(async () => {
      await worker.stop();
      await pool.close();
    });
    return worker;
  }

  const enqueue = (given: Partial<AccountEmailJob> & { validForMs?: number } = {}) =>
    transactionAs(db, {}, (trx) =>
      enqueueAccountEmail(trx, {
        kind: 'sign_in_code',
        recipient: 'ada@lovelace.example',
        language: 'en',
        payload: {},
        validForMs: 10 * minute,
        ...given,
      }),
    );
  const find = (id: string) =>
    owner
      .selectFrom('account_email_outbox as m')
      .innerJoin('jobs as j', (join) => join.on(sql<boolean>`j.key = m.id::text`))
      .select(['m.ended_at', 'm.error_content', 'j.attempts', 'j.due_at', 'j.worker_id'])
      .where('m.id', '=', id)
      .executeTakeFirstOrThrow();
  const makeDue = (id: string) => updateRows(owner, 'jobs', { key: id }, { due_at: sql<string>`now()` });
  const ended = (id: string) =>
    waitUntil('the mail is accounted for', async () => {
      const row = await find(id);
      return row.ended_at === null ? undefined : row;
    });

  test('account emails are composed on sending as text and HTML', async () => {
    const jobs: AccountEmailJob[] = [];
    startWorker({
      compose: (_deps, job) => {
        jobs.push(job);
        return Promise.resolve({
          subject: 'Grüße von <Nordwind> & Söhne',
          paragraphs: ['Hallo <b>Ada</b> & Co,'],
          code: '123456',
          button: { label: 'Öffnen', url: 'https://reachout.example/join/a?b=1&c=2' },
          notes: ['Gilt 10 Minuten.'],
        });
      },
    });
    const id = await enqueue({ language: 'de', payload: { name: 'Ada' } });
    const row = await ended(id);
    assert.equal(row.error_content, null);
    assert.equal(row.attempts, 1);
    assert.deepEqual(jobs, [
      {
        id,
        kind: 'sign_in_code',
        recipient: 'ada@lovelace.example',
        language: 'de',
        payload: { name: 'Ada' },
      },
    ]);
    assert.equal(sink.taken.length, 1);
    const [{ raw, sender, recipient, messageId }] = sink.taken as [SmtpSink['taken'][0]];
    assert.deepEqual(
      [sender, recipient, messageId],
      ['reachout@reachout.example', 'ada@lovelace.example', `<${id}@reachout.example>`],
    );
    const mail = await simpleParser(raw);
    assert.equal(mail.from?.text, '"Reachout" <reachout@reachout.example>');
    assert.equal(mail.subject, 'Grüße von <Nordwind> & Söhne');
    assert.equal(mail.headers.get('auto-submitted'), 'auto-generated');
    assert.ok(Math.abs(Number(mail.date) - Date.now()) < minute);
    for (const header of ['list-unsubscribe', 'feedback-id', 'precedence'])
      assert.equal(mail.headers.has(header), false, header);
    assert.equal(
      mail.text,
      'Hallo <b>Ada</b> & Co,\n\n    123456\n\nÖffnen:\nhttps://reachout.example/join/a?b=1&c=2\n\nGilt 10 Minuten.\n\nReachout · reachout.example\n',
    );
    const html = String(mail.html);
    assert.match(html, /<html lang="de">/);
    assert.match(html, /Hallo &lt;b&gt;Ada&lt;\/b&gt; &amp; Co,/);
    assert.match(html, /<a href="https:\/\/reachout.example\/join\/a\?b=1&amp;c=2" style/);
    assert.ok(html.includes('123456') && html.includes('Gilt 10 Minuten.'));
    assert.doesNotMatch(html, /<img|<script/);
    // The product's logo text and blue, and no visible URL in place of the button.
    assert.ok(html.includes('background:#006ec6') && html.includes('Reachout · reachout.example'));
    assert.doesNotMatch(html, />https?:/);
  });

  test('an empty composition sends no email (AUTH-2)', async () => {
    startWorker({ compose: () => Promise.resolve(undefined) });
    const row = await ended(await enqueue());
    assert.equal(row.error_content, null);
    assert.equal(sink.taken.length, 0);
  });

  test('names cannot break the header (EML-1)', async () => {
    const evil = 'Nordwind\r\nBcc: eve@evil.example\r\n\r\n<script>\u0000\u0085\u2028\u202eX';
    startWorker({
      compose: () => Promise.resolve({ subject: `From ${evil}`, paragraphs: [evil], notes: [evil] }),
    });
    await ended(await enqueue());
    assert.equal(sink.taken.length, 1);
    const mail = await simpleParser(sink.taken[0]!.raw);
    assert.equal(mail.subject, 'From Nordwind Bcc: eve@evil.example <script> X');
    assert.equal(mail.headers.has('bcc'), false);
    assert.equal(sink.taken[0]!.recipient, 'ada@lovelace.example');
  });

  for (const recipient of [
    'ada@lovelace.example\r\nBcc: eve@evil.example',
    'ada@lovelace.example, eve@evil.example',
    'ada@lovelace.example> SIZE=1',
    '"ada@x"@lovelace.example',
    'nobody',
  ])
    test(`an account email has one recipient, not ${JSON.stringify(recipient)} (EML-1, EML-2)`, async () => {
      startWorker();
      const row = await ended(await enqueue({ recipient }));
      assert.equal(row.error_content, 'invalid_address');
      assert.equal(sink.taken.length, 0);
    });

  test('account emails link only to web addresses', async () => {
    startWorker({
      compose: () =>
        Promise.resolve({
          subject: 'x',
          paragraphs: [],
          button: { label: 'x', url: 'javascript:alert(1)' },
          notes: [],
        }),
    });
    const id = await enqueue();
    await waitUntil('the mail has failed', async () => (await find(id)).error_content);
    assert.equal(sink.taken.length, 0);
  });

  test('a permanent rejection ends the email without logging its address (LOG-1)', async () => {
    const lines: string[] = [];
    const log = createLog('trace', { write: (line) => lines.push(line) });
    sink.refuse = (address) => ({
      code: 550,
      text: `5.1.1 No <${address}>, see https://mail.example/?a=1 (Ada: user unknown, adapter 3)`,
    });
    startWorker({ log });
    const row = await ended(await enqueue());
    assert.equal(
      row.error_content,
      '550 5.1.1 5.1.1 No <(address)>, see (link) ((address): user unknown, adapter 3)',
    );
    assert.equal(row.attempts, 1);
    assert.ok(lines.length > 0);
    assert.doesNotMatch(lines.join(''), /\bada\b|lovelace|Hello/i);
  });

  test('a temporary rejection is retried after growing delays', async () => {
    let refusals = 0;
    sink.refuse = () => ({ code: 451, text: `4.3.0 later ${(refusals += 1)}` });
    const worker = startWorker();
    const id = await enqueue();
    const delays: number[] = [];
    for (const turn of [1, 2, 3]) {
      const row = await waitUntil('it is put off', async () => {
        const current = await find(id);
        return current.attempts === turn && current.worker_id === null ? current : undefined;
      });
      assert.equal(row.ended_at, null);
      assert.match(row.error_content ?? '', /^451 4\.3\.0 /);
      delays.push(Math.round((Date.parse(row.due_at) - Date.now()) / 1_000));
      if (turn === 3) sink.refuse = () => undefined;
      await makeDue(id);
      worker.wake();
    }
    assert.ok(delays[1]! > delays[0]! && delays[2]! > delays[1]!, String(delays));
    const row = await ended(id);
    assert.deepEqual([row.attempts, row.error_content], [4, null]);
    assert.equal(sink.taken.length, 1);
  });

  test('email waits for an unreachable server, then expires (LOG-1, LOG-2)', async () => {
    const lines: string[] = [];
    const log = createLog('warn', { write: (line) => lines.push(line) });
    startWorker({ url: 'smtp://127.0.0.1:1', log });
    const patient = await enqueue({ payload: { token: 'secret-of-a-link' } });
    const hasty = await enqueue({ validForMs: 1_500 });
    const row = await ended(hasty);
    assert.ok(row.error_content !== null);
    const waiting = await waitUntil('it is put off', async () => {
      const current = await find(patient);
      return current.attempts > 0 && current.worker_id === null ? current : undefined;
    });
    assert.equal(waiting.ended_at, null);
    const warnings = lines.filter((line) => line.includes('account email waits for the mail server'));
    assert.equal(warnings.length, 1);
    assert.match(warnings[0]!, /ECONNREFUSED/);
    assert.doesNotMatch(lines.join(''), /lovelace|secret-of-a-link/);
  });

  test('an expired email is not composed', async () => {
    const id = await enqueue({ validForMs: 0 });
    let written = 0;
    startWorker({
      compose: () => {
        written += 1;
        return Promise.resolve(undefined);
      },
    });
    assert.match((await ended(id)).error_content ?? '', /no time left/);
    assert.equal(written, 0);
  });

  test('a failed composition is retried, and logged without its data (LOG-1)', async () => {
    const lines: string[] = [];
    let tries = 0;
    const worker = startWorker({
      log: createLog('trace', { write: (line) => lines.push(line) }),
      compose: (...given) => {
        tries += 1;
        return tries === 1 ? Promise.reject(new TypeError('no user ada@lovelace.example')) : hello(...given);
      },
    });
    const id = await enqueue();
    const failed = await waitUntil('it has failed', async () => {
      const row = await find(id);
      return row.worker_id === null ? row.error_content : undefined;
    });
    assert.equal(failed, 'TypeError');
    await makeDue(id);
    worker.wake();
    assert.equal((await ended(id)).error_content, null);
    assert.match(lines.join(''), /TypeError/);
    assert.doesNotMatch(lines.join(''), /lovelace/);
  });

  test('several workers send an email once', async () => {
    const workers = Array.from({ length: 4 }, () => startWorker());
    const ids = await Promise.all(
      Array.from({ length: 60 }, (_, n) => enqueue({ recipient: `m${n}@x.example` })),
    );
    for (const worker of workers) worker.wake();
    for (const id of ids) assert.equal((await ended(id)).attempts, 1);
    const recipients = sink.taken.map(({ recipient }) => recipient);
    assert.equal(recipients.length, 60);
    assert.equal(new Set(recipients).size, 60);
  });

  test('only an email of a dead worker is taken over', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    sink.beforeAnswer = () => held;
    const first = startWorker();
    const ids = await Promise.all(
      Array.from({ length: 8 }, (_, n) => enqueue({ recipient: `m${n}@x.example` })),
    );
    await waitUntil('the first has its hands full', () => sink.taken.length === 8);
    const second = startWorker();
    const other = await enqueue({ recipient: 'bob@x.example' });
    await waitUntil('the second is at work', () => sink.taken.length === 9);
    for (const id of ids) assert.equal((await find(id)).attempts, 1);

    await first.vanish();
    second.wake();
    await waitUntil('the second has its hands full', () => sink.taken.length === 16);
    release();
    const copies: number[] = [];
    for (const id of [...ids, other]) {
      const { attempts } = await ended(id);
      const arrived = sink.taken.filter(({ messageId }) => messageId === `<${id}@reachout.example>`);
      assert.ok(arrived.length >= 1 && arrived.length <= attempts);
      copies.push(arrived.length);
    }
    // The first worker keeps one job, since it did not really end. The second may lease it and find it sent.
    assert.ok(copies.filter((count) => count === 2).length >= 7);
  });

  test('an unfinished lease of a live worker is respected', async () => {
    const worker = startWorker();
    await ended(await enqueue());
    const { worker_id } = await owner
      .selectFrom(
        sql<{
          worker_id: number;
        }>`(select objid::integer as worker_id from pg_locks where locktype = 'advisory' and classid = 1919247220 and objsubid = 2 and database = (select oid from pg_database where datname = current_database()))`.as(
          'l',
        ),
      )
      .select('worker_id')
      .executeTakeFirstOrThrow();
    const id = await transactionAs(db, {}, async (trx) => {
      const made = await enqueueAccountEmail(trx, {
        kind: 'invitation',
        recipient: 'ada@lovelace.example',
        language: 'en',
        payload: {},
        validForMs: minute,
      });
      await updateRows(
        trx,
        'jobs',
        { key: made },
        { worker_id, lease_token: newId(), lease_until: sql<string>`now() + interval '20 minutes'` },
      );
      return made;
    });
    worker.wake();
    assert.equal((await ended(id)).error_content, null);
  });

  test('a hanging email does not delay others', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    sink.beforeAnswer = ({ recipient }) => (recipient.startsWith('slow') ? held : Promise.resolve());
    startWorker();
    const slow = await enqueue({ recipient: 'slow@x.example' });
    await waitUntil('it hangs', () => sink.taken.length === 1);
    for (let n = 0; n < 20; n += 1) await ended(await enqueue());
    assert.equal((await find(slow)).ended_at, null);
    release();
    await ended(slow);
  });
});

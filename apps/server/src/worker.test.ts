import assert from 'node:assert/strict';
import childProcess, { type ChildProcess } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { getPriority } from 'node:os';
import { Readable } from 'node:stream';
import { mock, test } from 'node:test';
import { ImportSettings } from '@reachout/contract/content-imports.ts';
import { getImport } from './contacts/imports/imports.ts';
import { receiveImport } from './contacts/imports/receive-import.ts';
import { internalOrigin } from './identity/access/caller.ts';
import { enqueueAccountEmail } from './identity/account-email/enqueue-account-email.ts';
import { execute, rowsOf, connect, transactionAs } from './platform/database/database.ts';
import { createLog } from './platform/log.ts';
import { buildUser } from './sample/records.ts';
import { startFaultyRelay } from './testing/faulty-relay.ts';
import { createContentFixture, type ContentFixture } from './testing/content-fixture.ts';
import { openSendDatabase } from './testing/send-worker.ts';
import { waitUntil } from './testing/wait-until.ts';
import { startWatchedSend } from './testing/watched-send.ts';
import { workerOptionsFor } from './testing/worker-process.ts';
import { startWorker } from './worker.ts';

test('account emails are sent while sends hold connections', async () => {
  const database = await openSendDatabase();
  const authDb = connect(database.authUrl, { name: 'sign-in', connections: 1, onError: () => undefined });
  const relay = await startFaultyRelay();
  const gate = Promise.withResolvers<undefined>();
  let held = 0;
  relay.behave = (stage, recipient) => {
    if (stage !== 'message' || !recipient.endsWith('@sink.example') || relay.copies.size <= 10)
      return undefined;
    held += 1;
    return gate.promise;
  };
  const worker = startWorker({ ...workerOptionsFor(database, relay.url), smtpConnections: 2 });
  try {
    const send = await startWatchedSend(database, { contacts: 20 });
    await waitUntil('sends hold their connections', () => held === 2);
    const { email } = await buildUser(database.owner);
    await transactionAs(authDb, {}, (trx) =>
      enqueueAccountEmail(trx, {
        kind: 'already_registered',
        recipient: email,
        language: 'en',
        payload: {},
        validForMs: 600_000,
      }),
    );
    await waitUntil('the account email is there', () => relay.copies.has(email));
    assert.equal(held, 2);
    gate.resolve(undefined);
    assert.equal((await send.finish()).counters.sent, 20);
  } finally {
    gate.resolve(undefined);
    await worker.stop();
    await relay.close();
    await authDb.destroy();
    await database.close();
  }
});

test('an import survives the death of its process', async (t) => {
  const fixture = await createContentFixture();
  t.after(() => fixture.close());
  const started: ChildProcess[] = [];
  const real = childProcess.fork;
  const fork = mock.method(childProcess, 'fork', (...args: Parameters<typeof real>) => {
    const child = real(...args);
    started.push(child);
    return child;
  });
  syncBuiltinESMExports();
  t.after(() => {
    fork.mock.restore();
    syncBuiltinESMExports();
  });
  const { organizationId } = fixture;
  const rows = 20_000;
  const id = await uploadPeople(fixture, rows);
  const find = () => fixture.inTenant((trx) => getImport(trx, organizationId, id));
  const untilRows = (atLeast: number) =>
    waitUntil(`${atLeast} rows are done`, async () => (await find()).rows_done >= atLeast);
  const options = workerOptionsFor(fixture.database, 'smtp://127.0.0.1:9');

  const worker = startWorker(options);
  try {
    await untilRows(1);
    assert.equal(started.length, 1);
    assert.equal(getPriority(started[0]!.pid), Math.min(getPriority() + 10, 19));
    started[0]!.kill('SIGKILL');
    await waitUntil('another process runs it', () => started.length === 2);
    await untilRows((await find()).rows_done + 1_000);
  } finally {
    await worker.stop();
  }
  const { rows_done: rowsBefore, status } = await find();
  assert.deepEqual([status, rowsBefore < rows, started[1]!.exitCode], ['queued', true, 0]);
  const next = startWorker(options);
  try {
    await waitUntil('the import ends', async () => (await find()).status === 'completed');
  } finally {
    await next.stop();
  }
  const { created_count, rows_done, updated_count, unchanged_count } = await find();
  assert.deepEqual([created_count, rows_done, updated_count, unchanged_count], [rows, rows, 0, 0]);
});

test('an import is slower while emails are sent', async (t) => {
  const fixture = await createContentFixture();
  t.after(() => fixture.close());
  const { owner, organizationId } = fixture;
  const relay = await startFaultyRelay();
  t.after(() => relay.close());
  const gate = Promise.withResolvers<undefined>();
  relay.behave = (stage) => (stage === 'message' ? gate.promise : undefined);
  // Records for each batch whether a pause follows.
  await execute(owner)`create table batches (rows_done bigint, rests boolean)`;
  await execute(owner)`grant insert on batches to reachout_app`;
  await execute(owner)`
    create function note_batch() returns trigger language plpgsql as $$
    begin
      insert into batches values (new.rows_done, new.yields_to_sends);
      return new;
    end $$
  `;
  await execute(owner)`
    create trigger note_batch before update of rows_done on content_imports for each row execute function note_batch()
  `;

  const worker = startWorker(workerOptionsFor(fixture.database, relay.url));
  try {
    const send = await startWatchedSend({ owner, app: fixture.db }, { contacts: 20 });
    await send.waitFor('the send holds its messages', ({ status }) => status === 'sending');
    const id = await uploadPeople(fixture, 20_000);
    const find = () => fixture.inTenant((trx) => getImport(trx, organizationId, id));
    const { rows_done } = await waitUntil('the import rests', async () => {
      const entry = await find();
      return entry.yields_to_sends ? entry : undefined;
    });
    await waitUntil('it goes on all the same', async () => (await find()).rows_done > rows_done);
    gate.resolve(undefined);
    assert.equal((await send.finish()).counters.sent, 20);
    const end = await waitUntil('the import ends', async () => {
      const entry = await find();
      return entry.status === 'completed' ? entry : undefined;
    });
    assert.deepEqual([end.created_count, end.yields_to_sends], [20_000, false]);
    const batches = await rowsOf<{ rows_done: number; rests: boolean }>(owner)`
      select rows_done, rests from batches order by rows_done
    `;
    assert.equal(batches.at(-1)?.rests, false);
    assert.ok(batches.findLastIndex(({ rests }) => rests) >= 1, 'two batches with a rest');
  } finally {
    gate.resolve(undefined);
    await worker.stop();
  }
});

/** @returns the id of the queued import */
async function uploadPeople(fixture: ContentFixture, rows: number): Promise<string> {
  const { id: userId } = await buildUser(fixture.owner);
  const file = Array.from({ length: rows }, (_, n) => `person${n}@mail.example,Person ${n}\n`).join('');
  const { id } = await receiveImport(
    { db: fixture.db, log: createLog('silent') },
    {
      userId,
      organizationId: fixture.organizationId,
      accessScope: undefined,
      apiKey: undefined,
      origin: internalOrigin,
      settings: ImportSettings.parse({
        collection: 'contacts',
        mapping: { email: 'email', first_name: 'first_name' },
      }),
      fileName: 'people.csv',
      file: Readable.from([Buffer.from(`email,first_name\n${file}`)]),
      isTruncated: () => false,
    },
  );
  return id;
}

import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, get, request as ask } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createTokenSigner } from '../../email/links/tokens.ts';
import { createEventCommitter } from '../../events/event-committer.ts';
import { startEventFolder } from '../../events/event-folder.ts';
import { execute, hasRows, rowsOf, connect, type Database } from '../../platform/database/database.ts';
import { connectPipelined } from '../../platform/database/pipelined.ts';
import { createLog } from '../../platform/log.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { buildOpen } from '../../testing/events.ts';
import { foldAll } from '../../testing/fold.ts';
import { openOwnServer, untilLost } from '../../testing/own-server.ts';
import { listRows } from '../../testing/rows.ts';
import { buildSentEmail, type SentEmail } from '../../testing/sent-email.ts';
import { buildWebsite, listVisitorEvents, pageView, websiteHeaders } from '../../testing/tracked-website.ts';
import { waitUntil } from '../../testing/wait-until.ts';

const options = { name: 'tests', connections: 2, statementTimeoutMs: 20_000, onError: () => {} };

let database: TestDatabase;
let owner: Database;

before(async () => {
  database = await createTestDatabase();
  owner = connect(database.ownerUrl, options);
});
after(async () => {
  await owner.destroy();
  await database.drop();
});

/** Readers that open one message after the other, each with the next request as soon as it has received the image. */
function startReaders(port: number, pathOf: (seq: number) => string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const acknowledged = new Set<number>();
  let seq = 0;
  const over = new AbortController();
  const readers = Array.from({ length: 32 }, async () => {
    while (!over.signal.aborted) {
      const own = ++seq;
      if (!(await fetchPicture(agent, port, pathOf(own)))) return;
      acknowledged.add(own);
    }
  });
  return {
    acknowledged,
    /** Resolves when all have ended: each does so when a request fails. */
    end: async () => {
      over.abort();
      await Promise.all(readers);
      agent.destroy();
    },
  };
}

/** @param acknowledged  messages that got a response @param most  messages that may have been stored */
async function assertCountedOnce(
  db: Database,
  { sendId }: SentEmail,
  acknowledged: ReadonlySet<number>,
  most: number,
): Promise<void> {
  // At one moment: PostgreSQL may still store what a killed server has sent to it.
  const { rows, sums } = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => ({
      rows: await listRows(trx, 'delivery_event_counts', ['seq', 'human_count'], { send_id: sendId }),
      sums: await readSums(trx, sendId),
    }));
  const stored = new Set(rows.map((row) => row.seq));
  assert.deepEqual(
    [...acknowledged].filter((own) => !stored.has(own)),
    [],
  );
  assert.equal(stored.size, rows.length);
  assert.ok(rows.every(({ human_count }) => human_count === 1));
  assert.ok(stored.size <= most);
  const { size } = stored;
  assert.deepEqual(sums, [{ sum: size, total: size, days: size, events: size }]);
}

/** What is counted of a send, in each place that counts it. */
async function readSums(db: Database, sendId: string): Promise<unknown[]> {
  return await rowsOf(db)`
    select
      (select sum(running_counts[1])::int from counts
        where subject_id = ${sendId} and value = 'unique' and day = '-infinity') as sum,
      (select sum(running_counts[96])::int from counts where subject_id = ${sendId} and value = 'human') as total,
      (select sum(running_counts[96])::int from counts where subject_id = ${sendId} and value = 'unique') as days,
      (select count(*)::int from events where send_id = ${sendId}) as events
  `;
}

const startServer = (appUrl: string, secret: Buffer) =>
  spawn(process.execPath, [join(import.meta.dirname, '../../testing/tracking-process.ts')], {
    env: { APP_URL: appUrl, SECRET: secret.toString('base64') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });

test('acknowledged opens survive a server killed during a fold', async () => {
  const secret = randomBytes(32);
  const signer = createTokenSigner(secret);
  const sent = await buildSentEmail(owner);
  const server = startServer(database.appUrl, secret);
  try {
    const readers = startReaders(
      await readPort(server),
      (seq) => `/t/o/${signer.sign({ sendNumber: sent.sendNumber, seq }).open}`,
    );
    const { acknowledged } = readers;
    await waitUntil('some opens are folded', async () => {
      const rows = await listRows(owner, 'counts', ['day'], { subject_id: sent.sendId });
      return rows.length > 0 && acknowledged.size > 500;
    });
    // In the middle of its statement, a fold waits for this lock.
    await owner.transaction().execute(async (trx) => {
      await execute(trx)`lock table counts in share mode`;
      await waitUntil('a fold is under way', async () => await isFoldWaiting(owner));
      const earlier = acknowledged.size;
      await waitUntil('opens are stored nevertheless', () => acknowledged.size > earlier + 500);
      server.kill('SIGKILL');
      await readers.end();
    });
    // At most the requests in flight at the kill were stored without a response.
    const most = acknowledged.size + 32;
    await waitUntil('the process of PostgreSQL has ended', async () => !(await isFoldWaiting(owner)));
    await foldAll(owner);
    await assertCountedOnce(owner, sent, acknowledged, most);
  } finally {
    server.kill('SIGKILL');
  }
});

test('acknowledged events of visitors survive a killed server, each once (TRK-2)', async () => {
  const website = await buildWebsite(owner);
  const server = startServer(database.appUrl, randomBytes(32));
  try {
    const port = await readPort(server);
    const agent = new Agent({ keepAlive: true, maxSockets: 32 });
    const acknowledged: string[] = [];
    // Each page sends its events again, as clients do that did not see the first response.
    const pages = Array.from({ length: 32 }, async () => {
      for (;;) {
        const events = Array.from({ length: 5 }, () => pageView({ event_id: randomUUID() }));
        for (let time = 0; time < 2; time++)
          if (!(await sendEvents({ agent, port, headers: websiteHeaders(website), events }))) return;
        acknowledged.push(...events.map(({ event_id }) => event_id));
        if (acknowledged.length >= 3_000) server.kill('SIGKILL');
      }
    });
    await Promise.all(pages);
    agent.destroy();

    assert.ok(acknowledged.length >= 3_000);
    const ids = (await listVisitorEvents(owner, website)).map(({ id }) => id);
    const stored = new Set(ids);
    assert.equal(stored.size, ids.length);
    assert.deepEqual(
      acknowledged.filter((id) => !stored.has(id)),
      [],
    );
    assert.ok(stored.size <= acknowledged.length + 5 * pages.length);
  } finally {
    server.kill('SIGKILL');
  }
});

test('acknowledged events survive a database killed during a fold', async () => {
  const own = await openOwnServer();
  const pipelined = connectPipelined(own.appUrl, { ...options, statementTimeoutMs: 5_000 });
  try {
    const sent = await buildSentEmail(own.owner);
    const committer = createEventCommitter(pipelined, [], createLog('silent'));
    const folder = startEventFolder(pipelined, createLog('silent'));
    const acknowledged = new Set<number>();
    let seq = 0;
    const over = new AbortController();
    const adders = Array.from({ length: 32 }, async () => {
      while (!over.signal.aborted) {
        const added = ++seq;
        await committer.add(buildOpen(sent, added)).then(
          () => acknowledged.add(added),
          () => delay(20),
        );
      }
    });
    const untilMore = async (count: number) => {
      const enough = acknowledged.size + count;
      await waitUntil('more events are stored', () => acknowledged.size >= enough);
    };
    try {
      await untilMore(500);
      const holder = own.owner.transaction().execute(async (trx) => {
        await execute(trx)`lock table counts in share mode`;
        await waitUntil('a fold is under way', async () => await isFoldWaiting(own.owner));
        await untilMore(500);
        await own.kill();
        await untilLost(trx);
      });
      await assert.rejects(holder);
      await untilMore(500);
    } finally {
      over.abort();
      await Promise.all(adders);
      await Promise.all([committer.close(), folder.close()]);
    }
    await foldAll(own.owner);
    await assertCountedOnce(own.owner, sent, acknowledged, seq);
  } finally {
    await pipelined.destroy();
    await own.close();
  }
});

/** Whether a fold waits for a lock on a table. */
async function isFoldWaiting(db: Database): Promise<boolean> {
  return await hasRows(db)`
    select from pg_stat_activity where wait_event_type = 'Lock' and query like 'select fold_message_events%'
      and datname = current_database()
  `;
}

async function readPort(server: ChildProcess): Promise<number> {
  const [line] = (await once(server.stdout!, 'data')) as [Buffer];
  return Number(line.toString());
}

/** @returns whether the image was received completely */
async function fetchPicture(agent: Agent, port: number, path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const headers = { 'user-agent': 'Mozilla/5.0 (X11) Firefox/140.0' };
  const request = get({ agent, port, path, host: '127.0.0.1', headers }, (response) => {
    let bytes = 0;
    response.on('data', (chunk: Buffer) => (bytes += chunk.length));
    response.on('error', () => resolve(false));
    response.on('close', () => resolve(bytes === 43));
  });
  request.on('error', () => resolve(false));
  return await promise;
}

interface Sending {
  agent: Agent;
  port: number;
  headers: Record<string, string>;
  events: object[];
}

/** @returns whether the events were acknowledged */
async function sendEvents({ agent, port, headers, events }: Sending): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const address = { port, host: '127.0.0.1', method: 'POST', path: '/api/track' };
  const sent = ask(
    { ...address, agent, headers: { ...headers, 'content-type': 'application/json' } },
    (response) => {
      response.on('error', () => resolve(false)).resume();
      response.on('close', () => resolve(response.complete && response.statusCode === 204));
    },
  );
  sent.on('error', () => resolve(false));
  sent.end(JSON.stringify(events));
  return await promise;
}

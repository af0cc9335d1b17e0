import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, get, request as ask } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createTokenSigner } from '../../email/links/tokens.ts';
import { connect, type Database } from '../../platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { listRows } from '../../testing/rows.ts';
import { buildSentEmail } from '../../testing/sent-email.ts';
import { buildWebsite, listVisitorEvents, pageView, websiteHeaders } from '../../testing/tracked-website.ts';

let database: TestDatabase;
let owner: Database;

before(async () => {
  database = await createTestDatabase();
  owner = connect(database.ownerUrl, {
    name: 'tests',
    connections: 1,
    statementTimeoutMs: 20_000,
    onError: () => {},
  });
});
after(async () => {
  await owner.destroy();
  await database.drop();
});

test('acknowledged opens survive a killed server', async () => {
  const secret = randomBytes(32);
  const signer = createTokenSigner(secret);
  const sent = await buildSentEmail(owner);
  const server = startServer(secret);
  try {
    const port = await readPort(server);
    const agent = new Agent({ keepAlive: true, maxSockets: 32 });
    const acknowledged = new Set<number>();
    let seq = 0;
    // Each reader sends the next request as soon as it has received the image, until the server is killed.
    const readers = Array.from({ length: 32 }, async () => {
      for (;;) {
        const own = ++seq;
        const path = `/t/o/${signer.sign({ sendNumber: sent.sendNumber, seq: own }).open}`;
        if (!(await fetchPicture(agent, port, path))) return;
        acknowledged.add(own);
        if (acknowledged.size === 1_500) server.kill('SIGKILL');
      }
    });
    await Promise.all(readers);
    agent.destroy();

    assert.ok(acknowledged.size >= 1_500);
    const rows = await listRows(owner, 'delivery_event_counts', ['seq', 'human_count'], {
      send_id: sent.sendId,
    });
    const stored = new Set(rows.map((row) => row.seq));
    assert.deepEqual(
      [...acknowledged].filter((own) => !stored.has(own)),
      [],
    );
    assert.ok(rows.every(({ human_count }) => human_count === 1));
    // At most the requests in flight at the kill were stored without a response.
    assert.ok(stored.size <= acknowledged.size + readers.length);
  } finally {
    server.kill('SIGKILL');
  }
});

test('acknowledged events of visitors survive a killed server, each once (TRK-2)', async () => {
  const website = await buildWebsite(owner);
  const server = startServer(randomBytes(32));
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

/** Starts the tracking server only, which prints its port. */
const startServer = (secret: Buffer) =>
  spawn(process.execPath, [join(import.meta.dirname, '../../testing/tracking-process.ts')], {
    env: { APP_URL: database.appUrl, SECRET: secret.toString('base64') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });

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
  const options = { agent, port, host: '127.0.0.1', method: 'POST', path: '/api/track' };
  const sent = ask(
    { ...options, headers: { ...headers, 'content-type': 'application/json' } },
    (response) => {
      response.on('error', () => resolve(false)).resume();
      response.on('close', () => resolve(response.complete && response.statusCode === 204));
    },
  );
  sent.on('error', () => resolve(false));
  sent.end(JSON.stringify(events));
  return await promise;
}

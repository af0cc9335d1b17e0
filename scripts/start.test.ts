import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '../apps/server/src/testing/find-free-port.ts';
import { isAlive } from '../apps/server/src/testing/is-alive.ts';
import { root } from './run-command.ts';

/** The target is 5 s; this leaves margin for slow machines, but is less than a first start takes. */
const warmStartMs = 30_000;
/** The first start creates a cluster, a database and the demo. */
const longestStartMs = 180_000;
/** From the signal until all processes have ended, whatever is in progress. */
const longestStopMs = 5_000;
const ready = /Stop it with Ctrl-C/;

interface Send {
  kind: string;
  id: string;
  status: string;
  recipients_total_count: number;
  recipients_total_sent_count: number;
}

suite('npm start', { timeout: 390_000 }, () => {
  let folder: string;
  let port: number;
  let first: Session;
  let coldStartMs: number;
  const children: ChildProcess[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reachout-start-'));
    // As root without user namespaces, PostgreSQL runs as the user `nobody`, who needs access to this directory.
    await chmod(folder, 0o711);
    port = await findFreePort();
  });
  after(async () => {
    for (const child of children) child.kill('SIGKILL');
    for (const name of ['data', 'interrupted']) {
      const pid = await findPostgres(join(folder, name));
      if (pid !== undefined) process.kill(pid, 'SIGQUIT');
      if (pid !== undefined) await waitFor('PostgreSQL ends', () => !isAlive(pid));
    }
    await rm(folder, { recursive: true, force: true });
  });

  /** Starts as a user does, with only the location set. */
  function start(name = 'data', settings: Record<string, string> = {}) {
    const child = spawn(process.execPath, [join(root, 'scripts/start.ts')], {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        // As npm start sets it: otherwise each start would compile the whole server again.
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        DATA_DIR: join(folder, name),
        PORT: String(port),
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    const exited = once(child, 'close').then(([code]) => code as number | null);
    const run = {
      output: '',
      exited,
      signal: (signal: NodeJS.Signals) => child.kill(signal),
      /** Ends it as Ctrl-C does. */
      interrupt: async () => {
        const startedAt = performance.now();
        child.kill('SIGINT');
        assert.equal(await exited, 0, run.output);
        const tookMs = performance.now() - startedAt;
        assert.equal(await findPostgres(join(folder, name)), undefined);
        assert.ok(tookMs < longestStopMs, `${tookMs} ms`);
      },
      until: (pattern: RegExp) =>
        waitFor(
          `it says ${String(pattern)}`,
          () => {
            assert.ok(child.exitCode === null && child.signalCode === null, `it ended:\n${run.output}`);
            return pattern.exec(run.output) ?? undefined;
          },
          longestStartMs,
        ),
    };
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes: Buffer) => (run.output += bytes.toString()));
    return run;
  }

  const findDemo = async (session: Session): Promise<string> => {
    const { items } = await session.get<{ items: { id: string; name: string }[] }>('/api/organizations');
    assert.deepEqual(
      items.map(({ name }) => name),
      ['Demo agency'],
    );
    return items[0]!.id;
  };
  const recentSends = async (session: Session): Promise<Send[]> =>
    await session.get(`/api/sends/recent?organization_id=${await findDemo(session)}`);
  const stateOf = (domain: CheckedDomain) =>
    [domain.domain, domain.status, ...checkKinds.map((kind) => domain.states[kind])].join(' ');
  const listDomains = async (session: Session) =>
    (await session.get<{ items: CheckedDomain[] }>(`/api/domains?organization_id=${await findDemo(session)}`))
      .items;
  const signIn = (output: string) =>
    openSession(/http:\/\/localhost:\d+\/demo\/key\/\S+/.exec(output)?.[0] ?? '');

  test('the demo is created, continues its send, and stops cleanly', async () => {
    const startedAt = performance.now();
    const server = start();
    await server.until(ready);
    coldStartMs = performance.now() - startedAt;
    assert.match(server.output, new RegExp(`Reachout runs at http://localhost:${port}\n`));
    // The only expected warning is that this process runs as root.
    const warnings = server.output.split('\n').filter((line) => line.includes('"level":40'));
    assert.deepEqual(
      warnings.filter((line) => !line.includes('runs as root')),
      [],
    );
    first = await signIn(server.output);
    assert.match(server.output, /http:\/\/localhost:\d+\/mailbox\/key\/[\w-]{43}\n/);
    const organization = await findDemo(first);
    const send = (await recentSends(first)).find(
      ({ kind, status }) => kind === 'campaign' && status === 'sending',
    );
    assert.ok(send !== undefined);
    const inbox = `/api/mailbox?organization_id=${organization}&send_id=${send.id}`;
    // Deferred messages that are due are really delivered, and the others stay deferred.
    await waitFor('the running send goes on', async () =>
      (await first.get<{ count: number }>(inbox)).count === 6 ? true : undefined,
    );
    const [running] = (await recentSends(first)).filter(({ id }) => id === send.id);
    assert.equal(running?.status, 'sending');
    assert.ok(running.recipients_total_sent_count + 40 < running.recipients_total_count);
    assert.match(await first.text('/'), /<div id="root">/);
    assert.equal((await stat(join(folder, 'data', 'secret-key'))).mode & 0o777, 0o600);

    // The domains of the demo are in every state, and checks answer the same without the DNS.
    const domains = await listDomains(first);
    assert.deepEqual(domains.map(stateOf), [
      'morrow-academy.example pending fail fail fail fail fail',
      'morrow-coffee.example verified pass pass pass warn fail',
      'nordwind.example verified pass pass pass pass pass',
      'solara-business.example failing fail pass pass pass pass',
    ]);
    for (const { id, states } of domains)
      for (const kind of ['dkim', 'spf', 'dmarc', 'tracking'] as const) {
        const check = await first.get<{ verdict: string; checked_at: string }>(`/api/domains/${kind}/${id}`);
        assert.equal(check.verdict, states[kind]);
        assert.ok(Date.parse(check.checked_at) > Date.now() - 60_000, check.checked_at);
      }
    assert.deepEqual((await listDomains(first)).map(stateOf), domains.map(stateOf));
    const { items: campaigns } = await first.get<{ items: { id: string }[] }>(
      `/api/campaigns?organization_id=${organization}&page_size=100`,
    );
    const links: string[] = [];
    for (const { id } of campaigns)
      for (const { domain } of await first.get<{ domain: CheckedDomain }[]>(`/api/campaigns/${id}/domains`))
        links.push(`${domain.domain} ${domain.status}`);
    assert.deepEqual([...new Set(links)].toSorted(), [
      'morrow-coffee.example verified',
      'nordwind.example verified',
    ]);

    const postgres = await findPostgres(join(folder, 'data'));
    assert.ok(postgres !== undefined && isAlive(postgres));
    await server.interrupt();
    assert.equal(isAlive(postgres), false);
    // Tests may run as root, which is the only expected warning.
    assert.doesNotMatch(server.output.replaceAll(/^.*runs as root.*$/gm, ''), /"level":[456]0/);
  });

  test('a restart is fast, keeps data, and runs only once', async (t) => {
    const startedAt = performance.now();
    const server = start();
    await server.until(ready);
    const tookMs = performance.now() - startedAt;
    t.diagnostic(`a warm start took ${Math.round(tookMs)} ms`);
    assert.ok(tookMs < Math.max(warmStartMs, coldStartMs), `${tookMs} ms`);
    const listSends = async (session: Session) =>
      (await recentSends(session)).map(({ id, status }) => `${status} ${id}`);
    const sends = await listSends(first);
    assert.ok(sends.some((send) => send.startsWith('sending')));
    assert.deepEqual(await listSends(await signIn(server.output)), sends);

    const second = start();
    assert.equal(await second.exited, 1);
    assert.match(
      second.output,
      /^The port is in use by another program. Choose another: PORT=3001 npm start$/m,
    );
    assert.doesNotMatch(second.output, / at .*\.ts/);
    // The running server continues.
    assert.deepEqual(await listSends(first), sends);

    const postgres = await findPostgres(join(folder, 'data'));
    assert.ok(postgres !== undefined);
    server.signal('SIGKILL');
    await server.exited;
    assert.equal(isAlive(postgres), true);
    // A mail server problem is reported at once, and everything else still works.
    const third = start('data', { SMTP_URL: 'smtp://127.0.0.1:1' });
    await third.until(ready);
    assert.match(third.output, /The mail server in SMTP_URL does not answer: ECONNREFUSED\. Email waits/);
    assert.deepEqual(await listSends(first), sends);
    third.signal('SIGTERM');
    assert.equal(await third.exited, 0, third.output);
    assert.equal(isAlive(postgres), false);
    assert.equal(await findPostgres(join(folder, 'data')), undefined);
  });

  test('an interrupted first start ends completely', async () => {
    const server = start('interrupted');
    await server.until(/Creating the PostgreSQL cluster/);
    server.signal('SIGINT');
    assert.equal(await server.exited, 0, server.output);
    assert.equal(await findPostgres(join(folder, 'interrupted')), undefined);
  });

  test('a stop does not wait for the demo', async () => {
    const server = start('interrupted');
    // Pages are served before the demo is made.
    await waitFor(
      'it listens',
      () =>
        fetch(`http://localhost:${port}/api/health/live`).then(
          ({ ok }) => ok,
          () => undefined,
        ),
      longestStartMs,
    );
    await server.interrupt();
    assert.doesNotMatch(server.output, /Look around in the demo/);
  });

  test('a wrong setting is named', async () => {
    const server = start('wrong', { PORT: 'x' });
    assert.equal(await server.exited, 1);
    assert.match(server.output, /^These settings cannot be used:\n {2}PORT: .+\n$/);
  });
});

const checkKinds = ['dkim', 'spf', 'return_path', 'dmarc', 'tracking'] as const;

interface CheckedDomain {
  id: string;
  domain: string;
  status: string;
  states: Record<(typeof checkKinds)[number], string>;
}

interface Session {
  get: <T>(path: string) => Promise<T>;
  text: (path: string) => Promise<string>;
}

/** Signs in with the link in the terminal. */
async function openSession(link: string): Promise<Session> {
  const opened = await fetch(link, { redirect: 'manual' });
  const { headers } = await fetch(opened.headers.get('location') ?? '', { redirect: 'manual' });
  const cookie = headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ');
  if (cookie === '') throw new Error('The link gave no session.');
  const ask = async (path: string): Promise<Response> => {
    const response = await fetch(new URL(path, link), {
      headers: { cookie, accept: 'text/html,application/json' },
    });
    if (!response.ok) throw new Error(`${path} gave ${response.status} ${await response.text()}`);
    return response;
  };
  return {
    get: async <T>(path: string) => (await (await ask(path)).json()) as T,
    text: async (path) => await (await ask(path)).text(),
  };
}

/** @returns the process id of the PostgreSQL server on a data directory */
async function findPostgres(dataDir: string): Promise<number | undefined> {
  const text = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  return Number.isInteger(pid) && isAlive(pid) ? pid : undefined;
}

async function waitFor<T>(
  what: string,
  look: () => T | Promise<T>,
  limitMs = 60_000,
): Promise<NonNullable<T>> {
  const end = performance.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) return found;
    if (performance.now() > end) throw new Error(`Waited ${limitMs} ms in vain: ${what}`);
    await delay(20);
  }
}

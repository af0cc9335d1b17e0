import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { test as base, type Page } from '@playwright/test';
import { createTestDatabase } from '../apps/server/src/testing/database.ts';
import { apiOf, signUpThroughApi, type Api, type Person } from './api.ts';

interface Server {
  url: string;
  /** Logs in as the owner of all tables. */
  databaseUrl: string;
}

interface Fixtures {
  /** The API as a new person, whom the browser is signed in as. */
  api: Api;
  /** A new organization of that person, with nothing in it. */
  organization: { id: string; name: string };
  /** Every test fails on an error that no code caught, and on anything the content security policy held back. */
  cleanRun: void;
}

/** Each worker of the test runner has a server of its own, started as users start it, over a copy of the database. */
export const test = base.extend<Fixtures, { server: Server }>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- the test runner reads which fixtures are needed from the pattern
    async ({}, use) => {
      const database = await createTestDatabase();
      const dataDir = await mkdtemp(join(tmpdir(), 'reachout-e2e-'));
      const port = await findFreePort();
      const url = `http://localhost:${port}`;
      const child = spawn(process.execPath, ['scripts/start.ts'], {
        env: {
          ...process.env,
          PORT: String(port),
          PUBLIC_URL: url,
          DATABASE_URL: database.ownerUrl,
          DATABASE_APP_URL: database.appUrl,
          DATA_DIR: dataDir,
          SECRET_KEY: randomBytes(48).toString('base64url'),
          LOG_LEVEL: 'warn',
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const exited = once(child, 'exit');
      await Promise.race([
        waitForLine(child.stdout, 'Reachout runs at'),
        exited.then(() => {
          throw new Error('The server ended before it was ready.');
        }),
      ]);
      await use({ url, databaseUrl: database.ownerUrl });
      child.kill('SIGTERM');
      await exited;
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  cleanRun: [
    async ({ context }, use) => {
      const problems: string[] = [];
      context.on('weberror', (event) => problems.push(String(event.error())));
      context.on('console', (message) => {
        if (/content security policy/i.test(message.text())) problems.push(message.text());
      });
      await use();
      expect(problems, 'errors that nobody caught').toEqual([]);
    },
    { auto: true },
  ],
  api: async ({ page, server }, use) => {
    await signUpThroughApi(page.request, server.url);
    await use(apiOf(page.request, server.url));
  },
  organization: async ({ api }, use) => {
    const name = `Agency ${randomUUID().slice(0, 8)}`;
    const { id } = await api.post<{ id: string }>('/organizations', { name });
    await use({ id, name });
  },
});

export const { expect } = test;

export async function signUp(page: Page, person: Person): Promise<void> {
  await page.goto('/sign-up');
  await page.getByLabel('Your name').fill(person.name);
  await page.getByLabel('Email address').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-up'));
}

/** Reads on after the line has come: whatever comes later must not fill the pipe, nor find it closed. */
function waitForLine(stream: Readable, text: string): Promise<void> {
  let seen = '';
  return new Promise((resolve) => {
    stream.on('data', (chunk) => {
      seen = (seen + String(chunk)).slice(-10_000);
      if (seen.includes(text)) resolve();
    });
  });
}

async function findFreePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

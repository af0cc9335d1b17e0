import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, type Page } from '@playwright/test';
import { createTestDatabase } from '../apps/server/src/testing/database.ts';

interface Server {
  url: string;
}

interface Fixtures {
  /** A new person, signed up through the page; the browser is signed in. */
  person: { name: string; email: string; password: string };
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
      await use({ url });
      child.kill('SIGTERM');
      await exited;
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  person: async ({ page }, use) => {
    const person = {
      name: 'Robin Tester',
      email: `${randomUUID()}@people.example`,
      password: `long ${randomUUID()}`,
    };
    await signUp(page, person);
    await use(person);
  },
});

export { expect } from '@playwright/test';

export async function signUp(page: Page, person: Fixtures['person']): Promise<void> {
  await page.goto('/sign-up');
  await page.getByLabel('Name').fill(person.name);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-up'));
}

async function waitForLine(stream: NodeJS.ReadableStream, text: string): Promise<void> {
  let seen = '';
  for await (const chunk of stream) {
    seen += String(chunk);
    if (seen.includes(text)) break;
  }
  // Whatever comes later must not fill the pipe.
  stream.resume();
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

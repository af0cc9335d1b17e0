import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import {
  createPasswordHasher,
  recommendedCost,
} from '../apps/server/src/identity/auth/passwords/password-hash.ts';
import { createTestDatabase } from '../apps/server/src/testing/database.ts';
import { startOidcProvider } from '../apps/server/src/testing/oidc-provider.ts';

import { operatorEmail, providerName, type Server } from './server.ts';

export interface StartedServer extends Server {
  /** Its environment, for the commands of operators. */
  env: NodeJS.ProcessEnv;
  /** Opens the demo, where it has one. */
  demoUrl: string | undefined;
  stop: () => Promise<void>;
}

/**
 * A server started as users start it, over a copy of the database.
 * @param settings  beside those that all servers of browser tests have
 * @param args  of the command line
 */
export async function startServer(
  settings: NodeJS.ProcessEnv = {},
  args: readonly string[] = [],
): Promise<StartedServer> {
  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'reachout-e2e-'));
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const secretKey = randomBytes(48).toString('base64url');
  const password = `long ${randomUUID()}`;
  const passwordHash = await createPasswordHasher(recommendedCost).hashUnlimited(password);
  const provider = await startOidcProvider([`${url}/api/auth/callback/oidc`]);
  const env = {
    ...process.env,
    PORT: String(port),
    PUBLIC_URL: url,
    DATABASE_URL: database.ownerUrl,
    DATABASE_APP_URL: database.appUrl,
    DATABASE_AUTH_URL: database.authUrl,
    DATA_DIR: join(folder, 'data'),
    SECRET_KEY: secretKey,
    LOG_LEVEL: 'warn',
    OPERATORS: operatorEmail,
    // Another organization of the same server stands for a Directus.
    PRIVATE_HOSTS: 'localhost',
    // All browsers of a run come from one network, and open in seconds what takes people an hour.
    RATE_LIMIT_NETWORK: '1000000',
    RATE_LIMIT_PERSON: '1000000',
    RATE_LIMIT_ORGANIZATION: '1000000',
    OAUTH_OIDC_ISSUER: provider.issuer,
    OAUTH_OIDC_CLIENT_ID: provider.clientId,
    OAUTH_OIDC_CLIENT_SECRET: provider.clientSecret,
    OAUTH_OIDC_NAME: providerName,
    ...settings,
  };
  const child = spawn(process.execPath, ['scripts/start.ts', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines: string[] = [];
  const mailboxUrl = await Promise.race([
    waitForLine(child.stdout, /^ *(http\S+\/mailbox\/key\/\S+)$/, lines),
    exited.then((): never => {
      throw new Error('The server ended before it was ready.');
    }),
  ]);
  return {
    url,
    mailboxUrl,
    demoUrl: lines.find((line) => line.includes('/demo/key/'))?.trim(),
    databaseUrl: database.ownerUrl,
    issuer: provider.issuer,
    secretKey,
    password,
    passwordHash,
    folder,
    env,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      await provider.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Reads on after the line has come: whatever comes later must not fill the pipe, nor find it closed. Lines of the log are
 * shown among the tests, since they may say why one fails.
 * @param lines  gets all others
 */
function waitForLine(stream: Readable, pattern: RegExp, lines: string[]): Promise<string> {
  return new Promise((resolve) => {
    createInterface(stream).on('line', (line) => {
      if (line.startsWith('{')) console.error(line);
      else lines.push(line);
      const found = pattern.exec(line)?.[1];
      if (found !== undefined) resolve(found);
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

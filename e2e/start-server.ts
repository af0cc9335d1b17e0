import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  createPasswordHasher,
  recommendedCost,
} from '../apps/server/src/identity/auth/passwords/password-hash.ts';
import { createTestDatabase } from '../apps/server/src/testing/database.ts';
import { startDnsServer, type ZoneRecords } from '../apps/server/src/testing/dns-server.ts';
import { findFreePort } from '../apps/server/src/testing/find-free-port.ts';
import { startOidcProvider } from '../apps/server/src/testing/oidc-provider.ts';
import { testCertificate } from '../apps/server/src/testing/smtp-certificate.ts';

import { checkBooks } from './database.ts';
import {
  bounceDomain,
  helpOperatorEmail,
  operatorEmail,
  providerName,
  spfInclude,
  watchingOperatorEmail,
  type Server,
} from './server.ts';

export interface StartedServer extends Server {
  /** Its environment, for operators' commands. */
  env: NodeJS.ProcessEnv;
  /** URL that opens the demo; undefined without a demo. */
  demoUrl: string | undefined;
  /** What it has printed, without its log. */
  lines: readonly string[];
  stop: () => Promise<void>;
}

/**
 * Starts a server as users do, on a copy of the database.
 * @param settings  in addition to those of all servers of browser tests
 * @param args  command-line arguments
 * @param command  a line of a shell that starts it, instead of the script with these arguments
 */
export async function startServer(
  settings: NodeJS.ProcessEnv = {},
  args: readonly string[] = [],
  command?: string,
): Promise<StartedServer> {
  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'reachout-e2e-'));
  const certificates = join(folder, 'certificates.pem');
  await writeFile(certificates, testCertificate);
  const port = await findFreePort();
  const smtpInPort = await findFreePort();
  const url = `http://localhost:${port}`;
  const secretKey = randomBytes(48).toString('base64url');
  const password = `long ${randomUUID()}`;
  const passwordHash = await createPasswordHasher(recommendedCost).hashUnlimited(password);
  const zone: Record<string, ZoneRecords> = {
    [bounceDomain]: {
      A: ['192.0.2.25'],
      MX: [`10 ${bounceDomain}`],
      TXT: [`v=spf1 include:${spfInclude} ~all`],
    },
    [spfInclude]: { TXT: ['v=spf1 ip4:192.0.2.25 ~all'] },
  };
  const dns = await startDnsServer(zone);
  const records = await takeRecords(zone);
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
    OPERATORS: [operatorEmail, helpOperatorEmail, watchingOperatorEmail].join(','),
    // Another organization of the same server acts as a Directus.
    PRIVATE_HOSTS: 'localhost',
    // Of mail servers of organizations.
    NODE_EXTRA_CA_CERTS: certificates,
    DNS_SERVERS: dns.address,
    BOUNCE_DOMAIN: bounceDomain,
    SMTP_IN_PORT: String(smtpInPort),
    SPF_INCLUDE: spfInclude,
    DMARC_REPORTS: `dmarc@${bounceDomain}`,
    // All browsers of a run share one IP prefix, and open in seconds what takes users an hour.
    RATE_LIMIT_NETWORK: '1000000',
    RATE_LIMIT_PERSON: '1000000',
    RATE_LIMIT_ORGANIZATION: '1000000',
    OAUTH_OIDC_ISSUER: provider.issuer,
    OAUTH_OIDC_CLIENT_ID: provider.clientId,
    OAUTH_OIDC_CLIENT_SECRET: provider.clientSecret,
    OAUTH_OIDC_NAME: providerName,
    ...settings,
  };
  const [file, ...rest] =
    command === undefined ? [process.execPath, 'scripts/start.ts', ...args] : ['sh', '-c', command];
  // A separate process group, so that a stop reaches all processes of a command, as Ctrl-C does.
  const child = spawn(file, rest, {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: command !== undefined,
  });
  const exited = once(child, 'exit');
  const lines: string[] = [];
  // The last line of a start.
  await Promise.race([
    waitForLine(child.stdout, /Stop it with Ctrl-C/, lines),
    exited.then((): never => {
      throw new Error('The server ended before it was ready.');
    }),
  ]);
  const printed = (path: string) => lines.find((line) => line.includes(path))?.trim();
  return {
    url,
    mailboxUrl: printed('/mailbox/key/') ?? '',
    demoUrl: printed('/demo/key/'),
    lines,
    databaseUrl: database.ownerUrl,
    recordsUrl: records.url,
    issuer: provider.issuer,
    smtpInPort,
    secretKey,
    password,
    passwordHash,
    folder,
    env,
    stop: async () => {
      if (command === undefined) child.kill('SIGTERM');
      else process.kill(-child.pid!, 'SIGINT');
      await exited;
      await provider.close();
      dns.close();
      records.close();
      try {
        await checkBooks(database.ownerUrl);
      } finally {
        await database.drop();
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

/** Lets other processes add records to a zone; `addRecords` does it. */
async function takeRecords(zone: Record<string, ZoneRecords>): Promise<{ url: string; close: () => void }> {
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    Object.assign(zone, JSON.parse(await text(request)));
    response.writeHead(204).end();
  };
  const server = createServer((...exchange) => void take(...exchange)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * Continues to read after the line has arrived: later output must neither fill the pipe nor find it closed. Log lines are
 * printed with the test output, since they may explain a failure.
 * @param lines  receives all other lines
 */
function waitForLine(stream: Readable, pattern: RegExp, lines: string[]): Promise<void> {
  return new Promise((resolve) => {
    createInterface(stream).on('line', (line) => {
      if (line.startsWith('{')) console.error(line);
      else lines.push(line);
      if (pattern.test(line)) resolve();
    });
  });
}

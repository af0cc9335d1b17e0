import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startServer, type RunningServer } from '../apps/server/src/main.ts';
import { readConfig, type Config } from '../apps/server/src/platform/config.ts';
import { InvalidConfig } from '../apps/server/src/platform/invalid-config.ts';
import { SchemaMismatch } from '../apps/server/src/platform/database/migrate.ts';
import { retryWhileAway } from '../apps/server/src/platform/database/retry-while-away.ts';
import { askMailServer } from './ask-mail-server.ts';
import { buildTracker } from './build-tracker.ts';
import { buildWeb } from './build-web.ts';
import { firstInvitation } from './installation.ts';
import { startPostgres, type RunningPostgres } from './postgres.ts';

// npm start: creates everything that is missing, then runs all roles of the server in this process until Ctrl-C.
// With -- --demo it creates the demo even if there is none by default.

// Promises, so that a stop also waits for what is still being started.
let postgres: Promise<RunningPostgres> | undefined;
let server: Promise<RunningServer> | undefined;
let stopping: Promise<void> | undefined;
const starting = new AbortController();

/** In ms: what is not finished by then is left to the next start, as after a kill. */
const stopLimitMs = 3_800;
/** A part of it: longer than the processes of the server need for that. */
const serverStopLimitMs = 3_500;

const end = () => {
  stopping ??= stop().then(
    () => process.exit(0),
    (error: unknown) => fail(error),
  );
};
// Ctrl-C reaches npm and this process, so signals come twice: the first one counts.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
// bootstrap.mjs was killed: without it this process could not be stopped from the terminal, and would keep the port.
process.on('disconnect', end);

try {
  await start(readConfig(process.env));
} catch (error) {
  // After a stop during the start, the reason why the start failed is not needed.
  if (stopping === undefined) {
    await stop().catch(() => undefined);
    fail(error);
  }
}

async function start(config: Config): Promise<void> {
  const servesPages = config.roles.includes('api');
  const tracks = config.roles.includes('tracking');
  if (servesPages || tracks) await checkPort(config);
  if (stopping !== undefined) return;
  if (config.databaseUrl === undefined) postgres = startEmbeddedPostgres(config);
  const [started] = await Promise.all([
    postgres,
    servesPages ? buildWeb() : undefined,
    tracks ? buildTracker() : undefined,
  ]);
  if (stopping !== undefined) return;
  const ownerUrl = config.databaseUrl ?? started!.url;
  const mailServer = config.smtpUrl === undefined ? undefined : askMailServer(config.smtpUrl);
  server = startServer(config, ownerUrl, {
    isDemoAskedFor: process.argv.includes('--demo'),
    signal: starting.signal,
  });
  const { address, demoSignInUrl, mailboxUrl, services } = await server;
  if (address === undefined) console.log('Reachout works in the background. Stop it with Ctrl-C.');
  else console.log(`\n  Reachout runs at ${address}`);
  if (demoSignInUrl !== undefined) {
    const isOnce = !demoSignInUrl.includes('/demo/key/');
    const note = isOnce ? 'works once, for 10 minutes' : 'for you alone';
    console.log(`  Look around in the demo (${note}):\n  ${demoSignInUrl}`);
  }
  if (mailboxUrl !== undefined) {
    console.log(`  Read the email about accounts, such as sign-up links (for you alone):\n  ${mailboxUrl}`);
  }
  const invitation =
    services === undefined
      ? undefined
      : await retryWhileAway('the start', services.log, () => firstInvitation(config, services.authDb));
  if (invitation !== undefined) console.log(`  ${invitation}`);
  const mailProblem = await mailServer;
  if (mailProblem !== undefined)
    console.log(`  The mail server in SMTP_URL does not answer: ${mailProblem}. Email waits until it does.`);
  if (address !== undefined) console.log('  Stop it with Ctrl-C.\n');
}

/**
 * Checks the port before anything is started: otherwise a second start beside a running one would take over its PostgreSQL,
 * and stop it when the port turns out to be in use.
 */
async function checkPort({ port, host }: Config): Promise<void> {
  const trial = createServer().listen(port, host);
  await once(trial, 'listening');
  trial.close();
  await once(trial, 'close');
}

function startEmbeddedPostgres({ dataDir }: Config): Promise<RunningPostgres> {
  return startPostgres({
    dataDir: join(dataDir, 'postgres'),
    durable: true,
    isWatched: true,
    log: (line) => console.log(line),
  });
}

async function stop(): Promise<void> {
  const startedAt = performance.now();
  starting.abort(new Error('Reachout stops.'));
  const stopServer = async () => await (await server?.catch(() => undefined))?.stop();
  await Promise.race([stopServer(), delay(serverStopLimitMs)]);
  const started = await postgres?.catch(() => undefined);
  await started?.stop(stopLimitMs - (performance.now() - startedAt));
}

function fail(error: unknown): never {
  const isPortTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  if (error instanceof InvalidConfig || error instanceof SchemaMismatch) console.error(error.message);
  else if (isPortTaken)
    console.error('The port is in use by another program. Choose another: PORT=3001 npm start');
  else console.error(error);
  process.exit(1);
}

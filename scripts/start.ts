import { join } from 'node:path';
import { startServer, type RunningServer } from '../apps/server/src/main.ts';
import { InvalidConfig, readConfig, type Config } from '../apps/server/src/platform/config.ts';
import { buildWeb } from './build-web.ts';
import { startPostgres, type RunningPostgres } from './postgres.ts';

// npm start: everything that is missing is made, then all roles of the server run in this process until Ctrl-C.

let postgres: RunningPostgres | undefined;
let server: RunningServer | undefined;
let stopping: Promise<void> | undefined;

// Ctrl-C reaches npm and this process, so signals come twice: the first one counts.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    stopping ??= stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  });
}

try {
  await start(readConfig(process.env));
} catch (error) {
  await stop().catch(() => undefined);
  fail(error);
}

async function start(config: Config): Promise<void> {
  const servesPages = config.roles.includes('api');
  const [started] = await Promise.all([
    config.databaseUrl === undefined ? startEmbeddedPostgres(config) : undefined,
    servesPages ? buildWeb() : undefined,
  ]);
  postgres = started;
  if (stopping !== undefined) return;
  const ownerUrl = config.databaseUrl ?? started!.url;
  server = await startServer(config, ownerUrl, { withDemo: config.databaseUrl === undefined });
  if (server.address === undefined) console.log('Reachout works in the background. Stop it with Ctrl-C.');
  else console.log(`\n  Reachout runs at ${server.address}`);
  if (server.demoSignInUrl !== undefined) {
    console.log(
      `  Look around in the demo (the link works once, for 10 minutes):\n  ${server.demoSignInUrl}`,
    );
  }
  if (server.address !== undefined) console.log('  Stop it with Ctrl-C.\n');
}

function startEmbeddedPostgres({ dataDir }: Config): Promise<RunningPostgres> {
  return startPostgres({
    dataDir: join(dataDir, 'postgres'),
    durable: true,
    log: (line) => console.log(line),
  });
}

async function stop(): Promise<void> {
  await server?.stop();
  await postgres?.stop();
}

function fail(error: unknown): never {
  const isPortTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  if (error instanceof InvalidConfig) console.error(error.message);
  else if (isPortTaken)
    console.error('The port is in use by another program. Choose another: PORT=3001 npm start');
  else console.error(error);
  process.exit(1);
}

import { readConfig } from '../apps/server/src/platform/config.ts';
import { startServer } from '../apps/server/src/main.ts';
import { join } from 'node:path';
import { startPostgres } from './postgres.ts';

const config = readConfig(process.env);
const postgres =
  config.databaseUrl === undefined
    ? await startPostgres({ dataDir: join(config.dataDir, 'postgres'), durable: true, log: console.log })
    : undefined;
const server = await startServer(config, config.databaseUrl ?? postgres!.url);
console.log(server.address);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await server.stop();
    await postgres?.stop();
    process.exit(0);
  });

import { globalSetup, globalTeardown } from '../scripts/test-setup.ts';
import { shareServer } from './server.ts';
import { startServer } from './start-server.ts';

/** Runs before all browser tests: starts PostgreSQL, and one server on a copy of the migrated database. */
export default async function setUp(): Promise<() => Promise<void>> {
  await globalSetup();
  try {
    const { stop, ...server } = await startServer();
    shareServer(server);
    return async () => {
      await stop();
      await globalTeardown();
    };
  } catch (error) {
    await globalTeardown();
    throw error;
  }
}

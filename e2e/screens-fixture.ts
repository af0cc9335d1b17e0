import { join } from 'node:path';
import { makeAllScreens, type AllScreens } from './all-screens.ts';
import { test as base } from './fixtures.ts';
import { makeOnce } from './make-once.ts';

/** For tests that view many screens without changing their data: all of them share one organization. */
export const test = base.extend<object, { visit: AllScreens & { madeAt: number } }>({
  visit: [
    async ({ server, browser }, use) =>
      use(
        await makeOnce(join(server.folder, 'all-screens'), async () => {
          const madeAt = Date.now();
          return { ...(await makeAllScreens(server, browser)), madeAt };
        }),
      ),
    { scope: 'worker', timeout: 300_000 },
  ],
});

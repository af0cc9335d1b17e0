import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { compileEmail } from '../../email/templates/compile-email.ts';
import { fixtureContent } from '../../testing/send-fixture.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { buildOnTrial, type TrialOrder } from './trial-build.ts';

// What ends the process of a trial build: the message, or something that would have ended any process.

const { signal: goOn } = new AbortController();

/** Makes the messages to some recipients abort or block the process that builds them (testing/poison.ts). */
function poison(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'reachout-poison-'));
  process.env['NODE_OPTIONS'] = `--import=${new URL('../../testing/poison.ts', import.meta.url).href}`;
  process.env['TEST_POISON_FOLDER'] = folder;
  t.after(() => {
    delete process.env['NODE_OPTIONS'];
    delete process.env['TEST_POISON_FOLDER'];
    rmSync(folder, { recursive: true });
  });
  return folder;
}

const waitForTrial = (folder: string) =>
  waitUntil('the trial is under way', () => {
    const file = join(folder, 'waits');
    return existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
  });

test('a trial finds the message that ends processes', async (t) => {
  const folder = poison(t);
  const building = buildOnTrial(await buildOrder(15), goOn);
  const pid = await waitForTrial(folder);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal);
  writeFileSync(join(folder, 'go-on'), '');
  assert.deepEqual(await building, [13]);
  assert.ok(existsSync(join(folder, 'died')), 'message 12 ended a process');
});

test('a stopped worker ends the trial without a result', async (t) => {
  const folder = poison(t);
  const stopping = new AbortController();
  const building = buildOnTrial(await buildOrder(11), stopping.signal);
  const pid = await waitForTrial(folder);
  stopping.abort(new Error('The worker stops.'));
  await assert.rejects(building, /The worker stops/);
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
});

async function buildOrder(count: number): Promise<TrialOrder> {
  const context = { brand: { id: 'b', name: 'Nordwind' }, organization: { name: 'Agency' } };
  const compiled = await compileEmail(fixtureContent, context, 'tests');
  assert.ok(compiled.ok);
  return {
    content: compiled.snapshot,
    recipients: Array.from({ length: count }, (_, index) => ({
      seq: index + 1,
      contact_id: `c${index}`,
      address: `user${index + 1}@sink.example`,
      variables: {},
      is_suppressed: false,
      tracked: true,
      tries: { attempts: 1, interruptions: 0, uncertain: 1 },
    })),
    startedAt: new Date().toISOString(),
    organizationId: '00000000-0000-4000-8000-000000000001',
    sendNumber: 1,
    messageIdBase: '00000000-0000-4000-8000-000000000002',
    publicUrl: 'http://localhost:3000',
    bounceDomain: 'bounce.example',
    isTest: false,
  };
}

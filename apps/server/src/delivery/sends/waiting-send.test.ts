import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Send } from '@reachout/contract/sends.ts';
import { useSharedApp } from '../../testing/app.ts';
import { buildSend } from '../../sample/records.ts';
import { insertRows } from '../../sample/rows.ts';
import { updateRows } from '../../testing/rows.ts';

const app = useSharedApp();

test('a send shows its waiting time only while it rests', async () => {
  const person = await app.signIn();
  const body = await person.ok<{ id: string }>('POST', '/api/organizations', { name: 'Agency' });
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const soon = new Date(Date.now() + 1_000).toISOString();
  const build = async (given: Parameters<typeof buildSend>[1]) => {
    const send = {
      organization_id: body.id,
      recipients_total_count: 2,
      status: 'sending' as const,
      ...given,
    };
    const { id } = await buildSend(app.owner, send);
    return { organization_id: body.id, send_id: id };
  };
  const waitsUntil = async ({ send_id }: { send_id: string }) => {
    const response = await person.ok<Send>('GET', `/api/sends/${send_id}`);
    assert.equal(response.pace, null);
    return response.waits_until && new Date(response.waits_until).toISOString();
  };

  const waiting = await build({ next_due_at: later });
  await insertRows(app.owner, 'delivery_queue', { ...waiting, seq: 1, kind: 'deferred', attempts: 1 });
  assert.equal(await waitsUntil(waiting), later);
  await updateRows(app.owner, 'delivery_queue', { send_id: waiting.send_id }, { worker_id: 1 });
  assert.equal(await waitsUntil(waiting), null);

  const moving = await build({ next_due_at: later });
  await insertRows(app.owner, 'delivery_chunks', {
    ...moving,
    first_seq: 1,
    last_seq: 2,
    marked_up_to: 2,
    worker_id: 1,
    lease_token: 1,
  });
  assert.equal(await waitsUntil(moving), null);

  assert.equal(await waitsUntil(await build({ next_due_at: soon })), null);
  assert.equal(await waitsUntil(await build({ next_due_at: later, status: 'paused' })), null);
});

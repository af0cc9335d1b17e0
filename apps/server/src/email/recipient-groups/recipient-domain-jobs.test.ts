import { recipientGroups } from '@reachout/contract/statuses.ts';
import assert from 'node:assert/strict';
import test from 'node:test';
import { execute, rowsOf, valuesOf, connect } from '../../platform/database/database.ts';
import type { JobRow } from '../../platform/jobs/leases.queries.ts';
import { newId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { handleRecipientDomains, wantRecipientGroups } from './recipient-domain-jobs.ts';

const job = {
  organization_id: null,
  id: newId(),
  kind: 'recipient_domains',
  key: 'scheduled',
  payload: {},
  attempts: 1,
  lease_token: newId(),
} as JobRow;

test('recipient domains are looked up daily and retried after failures', async () => {
  const database = await createTestDatabase();
  const pool = { connections: 2, onError: () => undefined };
  const owner = connect(database.ownerUrl, { ...pool, name: 'owner' });
  const db = connect(database.appUrl, { ...pool, name: 'worker' });
  const log = createLog('silent');
  const asked: string[] = [];
  const resolveMx = async (domain: string) => {
    asked.push(domain);
    await Promise.resolve();
    if (domain === 'nordwind.de') return [{ exchange: 'aspmx.l.google.com', priority: 1 }];
    throw Object.assign(new Error(domain), { code: domain === 'gone.de' ? 'ENOTFOUND' : 'ETIMEOUT' });
  };
  const lookUp = async () => {
    asked.length = 0;
    await handleRecipientDomains({ db, log, resolveMx }).run(job, new AbortController().signal);
    return asked.toSorted();
  };
  const readGroups = () => valuesOf<string>(owner)`
      select domain || ' ' || coalesce(recipient_group, '–') || case when due_at > now() then ' later' else '' end as group
      from recipient_domains order by domain
    `;
  try {
    await wantRecipientGroups({ db, log }, [
      'nordwind.de',
      'gmail.com',
      'sink.example',
      'silent.de',
      'gone.de',
    ]);
    assert.deepEqual(await lookUp(), ['gone.de', 'nordwind.de', 'silent.de']);
    assert.deepEqual(await readGroups(), ['gone.de other', 'nordwind.de google']);
    assert.deepEqual(await lookUp(), []);
    await wantRecipientGroups({ db, log }, ['nordwind.de', 'silent.de']);
    assert.deepEqual(await lookUp(), ['silent.de']);
    await execute(owner)`
      update recipient_domains set looked_up_at = now() - interval '25 hours' where domain = 'nordwind.de'
    `;
    await wantRecipientGroups({ db, log }, ['nordwind.de', 'gone.de']);
    assert.deepEqual(await lookUp(), ['nordwind.de']);
    await execute(owner)`
      insert into recipient_domains (domain, recipient_group, looked_up_at, due_at)
      values ('silent.de', 'yahoo', now(), now())
    `;
    assert.deepEqual(await lookUp(), ['silent.de']);
    await execute(owner)`
      update recipient_domains set looked_up_at = now() - interval '31 days' where domain = 'gone.de'
    `;
    await lookUp();
    assert.deepEqual(await readGroups(), ['nordwind.de google', 'silent.de yahoo later']);
  } finally {
    await owner.destroy();
    await db.destroy();
    await database.drop();
  }
});

test('database groups match the provider groups and lanes', async () => {
  const database = await createTestDatabase();
  const owner = connect(database.ownerUrl, { connections: 1, onError: () => undefined, name: 'owner' });
  try {
    const rows = await rowsOf<{ place: string; definition: string }>(owner)`
      select conrelid::regclass || '.' || attname as place, pg_get_constraintdef(c.oid) as definition
      from pg_constraint c join pg_attribute on attrelid = conrelid and attnum = conkey[1]
      where contype = 'c' and attname in ('lane', 'recipient_group') and cardinality(conkey) = 1
      order by 1
    `;
    const names = rows.map(({ place, definition }) => [
      place,
      [...definition.matchAll(/'(\w+)'/g)].map(([, name]) => name),
    ]);
    assert.deepEqual(
      names,
      ['delivery_chunks.lane', 'delivery_queue.lane', 'recipient_domains.recipient_group'].map((place) => [
        place,
        [...recipientGroups],
      ]),
    );
  } finally {
    await owner.destroy();
    await database.drop();
  }
});

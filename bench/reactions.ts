import { randomUUID } from 'node:crypto';
import { mailboxPolicies } from '../apps/server/src/testing/mailbox-policies.ts';
import { releaseOnce } from '../apps/server/src/delivery/graph/release-reactions.ts';
import {
  connect,
  execute,
  onlyValueOf,
  type Database,
} from '../apps/server/src/platform/database/database.ts';
import { createLog } from '../apps/server/src/platform/log.ts';
import { createOutboundClient } from '../apps/server/src/platform/outbound/outbound-client.ts';
import { createSecrets } from '../apps/server/src/platform/secrets.ts';
import { foldEvents } from '../apps/server/src/sample/events.ts';
import { buildTouchpoint } from '../apps/server/src/sample/records.ts';
import { insertRows } from '../apps/server/src/sample/rows.ts';
import { buildGraphPart } from '../apps/server/src/testing/event-graph.ts';
import { buildDueSend } from '../apps/server/src/testing/send-fixture.ts';
import { buildSentEmail } from '../apps/server/src/testing/sent-email.ts';
import { buildWebsite } from '../apps/server/src/testing/tracked-website.ts';
import { getRow, updateRows } from '../apps/server/src/testing/rows.ts';
import {
  median,
  openDatabase,
  readNumber,
  say,
  secretKey,
  toMetric,
  type Metric,
} from './support/benchmark.ts';

export const metrics = [
  'reactions_due',
  'reactions_first',
  'reactions_release',
  'fold_listened',
  'fold_listened_visits',
];

const folded = 10_000;

/**
 * Among `--rows` reactions that wait, the due ones are found, and 10,000 of an email that fall due at once become messages. Folds of
 * 10,000 opens and clicks, of which one in ten or each causes a reaction, and of 10,000 events of visitors of whom one in ten is
 * known, are compared with folds of events that nothing listens to.
 */
export const run = async (): Promise<Metric[]> => {
  const database = await openDatabase();
  const { owner, logins } = database;
  const db = connect(logins.appUrl, {
    name: 'bench',
    connections: 2,
    statementTimeoutMs: 120_000,
    onError: () => undefined,
  });
  const outbound = createOutboundClient([]);
  try {
    return [
      ...(await measureFolds(owner)),
      ...(await measureRelease(owner, db, { outbound, secrets: createSecrets(secretKey, []) })),
    ];
  } finally {
    await db.destroy();
    await database.close();
  }
};

async function measureRelease(
  owner: Database,
  db: Database,
  content: Parameters<typeof releaseOnce>[0]['content'],
): Promise<Metric[]> {
  const rows = readNumber('rows', 1_000_000);
  const { organizationId, touchpointId, brandId, sendId } = await buildDueSend(owner, { contacts: folded });
  await updateRows(
    owner,
    'touchpoint_sends',
    { id: sendId },
    { kind: 'triggered', status: 'sending', next_due_at: null },
  );
  const place = { organization_id: organizationId, collection: 'contacts' };
  await insertRows(owner, 'content_collections', { ...place, items_count: folded });
  await insertRows(owner, 'content_fields', { ...place, field: 'email', type: 'string' });
  await insertRows(owner, 'content_fields', { ...place, field: 'unsubscribed', type: 'boolean' });
  const { campaign_id: campaignId } = await getRow(owner, 'touchpoints', ['campaign_id'], {
    id: touchpointId,
  });
  const { eventId, listenerId } = await buildGraphPart(
    owner,
    { organizationId, campaignId },
    {
      collection: 'contacts',
      listener: touchpointId,
      type: 'ADD_CONTACT',
    },
  );
  const insert = (count: number, touchpoint: string, due: string) => execute(owner)`
    insert into reactions (organization_id, id, touchpoint_event_id, listener_id, touchpoint_id, action, brand_id, collection, contact_id,
      cause_type, cause_at, due_at)
    select ${organizationId}::uuid, gen_random_uuid(), ${eventId}::uuid, ${listenerId}::uuid, ${touchpoint}::uuid, 'send_email', ${brandId}::uuid,
      'contacts', 'contact-' || lpad(i::text, 9, '0'), 'ADD_CONTACT', now(), now() + ${due}::interval
    from generate_series(1, ${count}::int) i`;
  const touchpoints = 200;
  for (let number = 0; number < touchpoints; number += 1)
    await insert(Math.floor(rows / touchpoints), randomUUID(), '3 days');
  await execute(owner)`vacuum analyze reactions`;
  const look = async () => {
    const began = performance.now();
    await execute(db)`select * from due_reactions(50)`;
    return performance.now() - began;
  };
  const looks = [];
  for (let number = 0; number < 30; number += 1) looks.push(await look());
  await insert(folded, touchpointId, '0 seconds');
  const deps = { db, policies: mailboxPolicies, content, log: createLog('warn') };
  const began = performance.now();
  await releaseOnce(deps);
  const firstMs = performance.now() - began;
  while (await releaseOnce(deps));
  const seconds = (performance.now() - began) / 1_000;
  const released = await onlyValueOf<number>(
    owner,
  )`select count(*)::int from delivery_queue where send_id = ${sendId}`;
  say(`  ${released} of ${folded} became messages in ${seconds.toFixed(1)} s`);
  return [
    toMetric('reactions_due', median(looks), 'ms', 20),
    toMetric('reactions_first', firstMs, 'ms', 5_000),
    toMetric('reactions_release', released / seconds, 'reactions/s', folded / 60),
  ];
}

type Listened = 'nothing' | 'clicks' | 'opens';

async function measureFolds(owner: Database): Promise<Metric[]> {
  const opens: Record<Listened, number[]> = { nothing: [], clicks: [], opens: [] };
  const visits: Record<'nothing' | 'clicks', number[]> = { nothing: [], clicks: [] };
  for (let repeat = 0; repeat < readNumber('repeats', 7); repeat += 1)
    for (const listened of ['nothing', 'clicks', 'opens'] as const) {
      opens[listened].push(await foldOpens(owner, listened));
      if (listened !== 'opens') visits[listened].push(await foldVisits(owner, listened === 'clicks'));
    }
  return [
    toMetric('fold_listened', median(opens.clicks), 'events/s', median(opens.nothing)),
    toMetric('fold_reacting', median(opens.opens), 'events/s', median(opens.nothing)),
    toMetric('fold_listened_visits', median(visits.clicks), 'events/s', median(visits.nothing)),
  ];
}

const addresses = Array.from({ length: folded }, (_, index) => `user${index}@bench.example`);

async function placeOf(owner: Database) {
  const sent = await buildSentEmail(owner, { addresses });
  const { campaign_id: campaignId } = await getRow(owner, 'touchpoints', ['campaign_id'], {
    id: sent.touchpointId,
  });
  const { id: listener } = await buildTouchpoint(owner, { campaign_id: campaignId });
  return { ...sent, campaignId, listener };
}

const timeFold = async (owner: Database, subject: 'message' | 'visitor') => {
  await execute(owner)`analyze`;
  const began = performance.now();
  const count = await foldEvents(owner, subject, folded);
  if (count !== folded) throw new Error(`${count} events were folded.`);
  return folded / ((performance.now() - began) / 1_000);
};

/** Nine of ten are opens. */
async function foldOpens(owner: Database, listened: Listened): Promise<number> {
  const place = await placeOf(owner);
  for (const type of listened === 'nothing'
    ? []
    : (['CLICK', ...(listened === 'opens' ? (['OPEN_EMAIL'] as const) : [])] as const))
    await buildGraphPart(owner, place, {
      notifier: place.touchpointId,
      listener: place.listener,
      type,
      delay: 'P3D',
    });
  await execute(owner)`
    insert into unfolded_message_events (organization_id, touchpoint_id, send_id, seq, type, at, link_no, is_bot, is_first_only, id)
    select ${place.organizationId}::uuid, ${place.touchpointId}::uuid, ${place.sendId}::uuid, i,
      case when i % 10 = 0 then 'CLICK' else 'OPEN_EMAIL' end, now(), case when i % 10 = 0 then 0 end, false, false, gen_random_uuid()
    from generate_series(1, ${folded}::int) i`;
  return await timeFold(owner, 'message');
}

async function foldVisits(owner: Database, isListened: boolean): Promise<number> {
  const place = await placeOf(owner);
  const { organizationId, campaignId, listener, sendId } = place;
  const { touchpointId } = await buildWebsite(owner, {
    organization_id: organizationId,
    campaign_id: campaignId,
  });
  if (isListened)
    await buildGraphPart(owner, place, { notifier: touchpointId, listener, type: 'TRACK', delay: 'P3D' });
  await execute(owner)`
    insert into visitor_contacts (organization_id, touchpoint_id, visitor_id, bound_at, send_id, seq, collection, contact_id)
    select ${organizationId}::uuid, ${touchpointId}::uuid, md5(${sendId} || i)::uuid, now() - interval '1 minute', ${sendId}::uuid, i, 'contacts',
      'contact-' || i
    from generate_series(1, ${folded / 10}::int) i`;
  await execute(owner)`
    insert into unfolded_visitor_events (organization_id, touchpoint_id, id, at, type, visitor_id, name, url, path, is_bot)
    select ${organizationId}::uuid, ${touchpointId}::uuid, gen_random_uuid(), now(), 'TRACK', md5(${sendId} || i)::uuid, 'Order',
      'https://shop.example/', '/', false
    from generate_series(1, ${folded}::int) i`;
  return await timeFold(owner, 'visitor');
}

import assert from 'node:assert/strict';
import type { ListedCampaign } from '@reachout/contract/campaigns.ts';
import type { ListedBrand, ListedClient } from '@reachout/contract/clients.ts';
import type { DashboardResults, DashboardWork } from '@reachout/contract/dashboard.ts';
import type { Collection } from '@reachout/contract/content.ts';
import type { Filter } from '@reachout/contract/filters.ts';
import type { Figures } from '@reachout/contract/figures.ts';
import type {
  CampaignFunnel,
  EmailStats,
  WebsiteBreakdown,
  WebsiteConversions,
  WebsiteOverview,
} from '@reachout/contract/statistics.ts';
import type { ListedTouchpoint, Touchpoint } from '@reachout/contract/touchpoints.ts';
import type { Website } from '@reachout/contract/websites.ts';
import { sql } from 'kysely';
import type { Person, TestApp } from './app.ts';
import { getRow } from './rows.ts';
import { untilServed } from './wait-until.ts';

const dayMs = 86_400_000;

interface List<T> {
  items: T[];
  count: number;
}

type Counts = Pick<Figures, 'recipients' | 'delivered' | 'opened' | 'clicked' | 'converted' | 'conversions'>;

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

const sumFigures = (rows: readonly { figures: Figures | null }[]): Counts => {
  const of = (key: keyof Counts) => rows.reduce((all, { figures }) => all + (figures?.[key] ?? 0), 0);
  return {
    recipients: of('recipients'),
    delivered: of('delivered'),
    opened: of('opened'),
    clicked: of('clicked'),
    converted: of('converted'),
    conversions: of('conversions'),
  };
};

/** Compares the metrics of the demo, the only organization of the app, with each other and with the stored rows. */
export async function checkDemo(app: TestApp, demo: { name: string; hasOpenSends: boolean }): Promise<void> {
  const { id: userId, email } = await getRow(app.owner, 'users', '*', {});
  const as = await app.signIn({ userId, email });
  const { id, name } = await getRow(app.owner, 'organizations', '*', {});
  assert.equal(name, demo.name);
  const total = await checkFigures(app, as, id);
  await checkDashboard(app, as, id, total);
  await checkTimeline(app, as, id);
  await checkRows(app, id);
  await checkOwners(app, as, id);
  if (demo.hasOpenSends) await checkOpenSends(app, as, id);
}

const get = async <T>(app: TestApp, as: Person, path: string): Promise<T> => {
  const { status, body } = await untilServed(() => app.request<T>('GET', path, { as }));
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

/** Checks the metrics of clients, brands, campaigns, touchpoints, and the statistics of each email. */
async function checkFigures(app: TestApp, as: Person, organizationId: string): Promise<Counts> {
  const list = async <T>(kind: string) => {
    const page = `organization_id=${organizationId}&page_size=100`;
    const { items, count } = await get<List<T>>(app, as, `/api/${kind}?${page}`);
    const rest = count > 100 ? await get<List<T>>(app, as, `/api/${kind}?${page}&page=1`) : { items: [] };
    return [...items, ...rest.items];
  };
  const clients = await list<ListedClient>('clients');
  const brands = await list<ListedBrand>('brands');
  const touchpoints = await list<ListedTouchpoint>('touchpoints');
  const total = sumFigures(clients);
  assert.deepEqual([clients.length, brands.length], [3, 6]);
  assert.equal(new Set(brands.map(({ color }) => color)).size, 6);
  assert.ok([...clients, ...brands].every(({ logo_url }) => logo_url?.endsWith('.webp')));
  assert.ok(total.delivered > 8_000 && total.opened! > 3_000 && total.clicked! > 400, JSON.stringify(total));
  assert.deepEqual(sumFigures(brands), total);
  const campaigns = await list<ListedCampaign>('campaigns');
  assert.deepEqual(sumFigures(campaigns), total);
  assert.equal(new Set(campaigns.map(({ name }) => name)).size, campaigns.length, 'campaigns share a name');
  assert.deepEqual(sumFigures(touchpoints), total);
  const websites = touchpoints.filter(({ type }) => type === 'website');
  assert.deepEqual(
    websites.map(({ status }) => status),
    ['active'],
  );
  for (const { id } of websites) {
    const website = await get<Website>(app, as, `/api/touchpoints/${id}/website`);
    assert.ok(website.hosts.length > 0 && website.first_event !== null);
    assert.equal((await get<unknown[]>(app, as, `/api/touchpoints/${id}/website/events`)).length, 50);
    const { rows } = await sql<{ count: number }>`
      select count(*)::int from visitor_events where utc_day(at) = utc_day(now())`.execute(app.owner);
    assert.equal(website.quotas.find(({ quota }) => quota === 'website_events')?.used, rows[0]!.count);
    await checkWebsite(app, as, { organizationId, website, conversions: total.conversions! });
  }
  for (const { id: campaign, figures } of campaigns) {
    const { total: funnel } = await get<CampaignFunnel>(app, as, `/api/campaigns/${campaign}/funnel`);
    assert.deepEqual(
      [funnel.delivered, funnel.clicked, funnel.converted],
      [figures?.delivered, figures?.clicked, figures?.converted],
    );
  }
  let visited = 0;
  for (const { id: touchpoint, figures } of touchpoints.filter(({ type }) => type === 'email')) {
    const path = `/api/content/${organizationId}/reachout/touchpoint_emails/stats?organization_id=${organizationId}&touchpoint=${touchpoint}`;
    const { data } = await get<{ data: EmailStats }>(app, as, path);
    assert.deepEqual(
      [data.recipients, data.delivered, data.opened.unique, data.clicked.unique, data.converted],
      [figures?.recipients, figures?.delivered, figures?.opened, figures?.clicked, figures?.converted],
    );
    const funnel = [data.delivered, data.clicked.unique, data.visited, data.converted];
    assert.deepEqual(
      funnel,
      funnel.toSorted((one, other) => other - one),
    );
    visited += data.visited;
  }
  assert.ok(total.clicked! > visited && visited > total.converted! && total.converted! > 50);
  return total;
}

interface CheckedWebsite {
  organizationId: string;
  website: Website;
  /** All of them, by the lists. */
  conversions: number;
}

/** Checks that the parts of the statistics of the website add up, and that visits and conversions cover 14 months. */
async function checkWebsite(
  app: TestApp,
  as: Person,
  { organizationId, website, conversions: listed }: CheckedWebsite,
): Promise<void> {
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  const read = async <T>(what: string, end: number, filter = '') => {
    const of = `organization_id=${organizationId}&touchpoint=${website.touchpoint_id}`;
    const path = `/api/content/${organizationId}/reachout/touchpoint_websites/${what}`;
    const period = [today - 430 * dayMs, end].map((at) => new Date(at).toISOString()).join('::');
    return (await get<{ data: T }>(app, as, `${path}?${of}&period=${period}${filter}`)).data;
  };
  const { total, rows } = await read<WebsiteOverview>('overview', today + dayMs);
  for (const key of ['page_views', 'sessions', 'events', 'conversions'] as const) {
    assert.equal(sumOf(rows.map((row) => row[key])), total[key], key);
    assert.ok(rows.filter((row) => row[key] > 0).length >= 14, key);
  }
  assert.ok(total.page_views > 25_000 && total.visitors > 5_000 && total.sessions > total.visitors);
  const { total: before } = await read<WebsiteOverview>('overview', today);
  for (const dimension of ['path', 'referrer', 'country', 'language', 'screen', 'event'] as const) {
    const values = await read<WebsiteBreakdown>('breakdown', today, `&dimension=${dimension}&limit=1000`);
    const count = dimension === 'event' ? before.events : before.page_views;
    assert.deepEqual([values.total.count, sumOf(values.rows.map((row) => row.count))], [count, count]);
    if (values.total.sessions !== null) assert.equal(values.total.sessions, before.sessions);
    assert.ok(values.values > 2, dimension);
  }
  const { goals, emails } = await read<WebsiteConversions>('conversions', today + dayMs);
  assert.deepEqual(
    [sumOf(goals.map((goal) => goal.conversions)), sumOf(goals.map(({ value }) => Math.round(value * 100)))],
    [total.conversions, Math.round(total.conversion_value * 100)],
  );
  assert.equal(listed, total.conversions);
  const attributed = sumOf(goals.map((goal) => goal.attributed));
  assert.equal(sumOf(emails.map((email) => email.conversions)), attributed);
  assert.ok(attributed > 50 && attributed < total.conversions / 2, `${attributed} of ${total.conversions}`);
  // The latest visits are in progress.
  assert.ok(Date.parse(website.last_event_at!) > Date.now() - 15 * 60_000);
}

/** Checks that the totals of 90 days equal the sums of their rows and clients, and are a part of all deliveries. */
async function checkDashboard(app: TestApp, as: Person, organizationId: string, all: Counts): Promise<void> {
  const path = `/api/dashboard/results?organization_id=${organizationId}&period=90day`;
  const { total, previous_total, rows, clients } = await get<DashboardResults>(app, as, path);
  for (const key of ['delivered', 'opened', 'clicked', 'converted', 'bounced', 'unsubscribed'] as const) {
    for (const parts of [rows, clients])
      assert.equal(sumOf(parts.map((part: Record<typeof key, number>) => part[key])), total[key], key);
    assert.ok(total[key] > 0 && previous_total[key] > 0, key);
  }
  assert.ok(total.delivered > previous_total.delivered, 'it grows');
  assert.ok(total.delivered + previous_total.delivered < all.delivered);
}

/** Checks that the page of a contact lists all of its messages. */
async function checkTimeline(app: TestApp, as: Person, organizationId: string): Promise<void> {
  const { rows } = await sql<{ contact_id: string; count: number }>`
    select contact_id, count(*)::int as count from deliveries group by 1 order by 2 desc, 1 limit 1
  `.execute(app.owner);
  const { contact_id, count } = rows[0]!;
  const { collection } = await getRow(app.owner, 'content_items', ['collection'], { id: contact_id });
  const path = `/api/content/${organizationId}/timeline/${collection}/${contact_id}?limit=100`;
  const { items } = await get<{ items: { kind: string }[] }>(app, as, path);
  assert.equal(items.filter(({ kind }) => kind === 'message').length, count);
}

/** Checks that the contacts belong to clients, and that audiences select from those of their own client. */
async function checkOwners(app: TestApp, as: Person, organizationId: string): Promise<void> {
  const { data } = await get<{ data: Collection[] }>(app, as, `/api/content/${organizationId}/collections`);
  const lists = data.filter(({ has_contacts }) => has_contacts);
  const shared = lists.filter(({ client_id }) => client_id === null);
  assert.deepEqual(
    shared.map(({ collection, item_count }) => [collection, item_count]),
    [['contacts', 0]],
  );
  assert.equal(lists.length, 4);
  assert.ok(
    lists.every(
      ({ client, label, item_count }) => client === null || (label === client.name && item_count > 100),
    ),
  );
  const path = `/api/filters?organization_id=${organizationId}&page_size=100`;
  const { items } = await get<List<Filter>>(app, as, path);
  assert.equal(items.length, 9);
  for (const { name, collection, client_id } of items)
    assert.equal(lists.find((list) => list.collection === collection)?.client_id, client_id, name);
}

async function checkRows({ owner }: TestApp, organizationId: string): Promise<void> {
  const read = async (query: ReturnType<typeof sql>) => (await query.execute(owner)).rows;
  // The counters of all ended sends equal their rows.
  assert.deepEqual(await read(sql`select * from unbalanced_sends(interval '20 years', 10)`), []);
  assert.deepEqual(await read(sql`select * from stuck_sends(10)`), []);
  // Each total equals the number of its single rows.
  assert.deepEqual(
    await read(sql`
      select subject_id from counts s
      where day = '-infinity' and value = 'unique' and running_counts[1] <> (select count(*) from delivery_event_counts c
        where c.send_id = s.subject_id and c.type = s.dimension and c.link_no = -1 and c.human_count > 0)
      union all
      select send_id from delivery_result_totals where state = 'accepted' group by send_id
      having sum(count) <> (select count(accepted_at) from delivery_results r where r.send_id = delivery_result_totals.send_id)
      union all
      select send_id from delivery_result_totals where state <> 'accepted' group by send_id, state
      having sum(count) <> (select count(*) from delivery_results r where r.send_id = delivery_result_totals.send_id
        and r.state = delivery_result_totals.state)`),
    [],
  );
  // Each delivery is in the index of its contact.
  assert.deepEqual(
    await read(sql`
      select d.send_id, d.seq, d.contact_id from deliveries d join touchpoint_sends s on s.id = d.send_id and s.kind <> 'triggered'
      except all
      select d.send_id, d.seq, d.contact_id from (select send_id, unnest(hashes) as hash, unnest(seqs) as seq from contact_deliveries) c
      join deliveries d on d.send_id = c.send_id and d.seq = c.seq and hashtext(d.contact_id) & 2147483647 = c.hash`),
    [],
  );
  // All addresses are in reserved domains, so that no email can reach a person (RFC 2606).
  assert.deepEqual(
    await read(sql`
      select data ->> 'email' from content_items
      where starts_with(collection, 'contacts') and data ->> 'email' !~ '@[a-z0-9.-]+\\.(example|test)$'
      union all
      select address from deliveries where address !~ '@[a-z0-9.-]+\\.(example|test)$'`),
    [],
  );
  assert.deepEqual(
    await read(sql`
      select action, count(*)::int as count from audit_log
      where organization_id = ${organizationId} and action <> 'sign_in' group by action`),
    [{ action: 'demo.create', count: 1 }],
  );
  const [past] = (await read(sql`
    select count(distinct date_trunc('month', send_date))::int as months,
      count(*) filter (where extract(isodow from send_date) > 5 and status = 'completed')::int as at_weekends,
      (select count(*)::int from choices where kind = 'suppression') as suppressed,
      (select count(*)::int from events where is_bot) as by_bots,
      (select count(*)::int from events where moved_by is not null) as moved,
      (select count(*)::int from events where type = 'COMPLAINT') as complaints,
      (select count(distinct class)::int from delivery_results where state = 'bounced' and accepted_at < at) as late_reasons,
      (select count(*)::int from partitions.delivery_results_default)
        + (select count(*)::int from partitions.events_default) as without_month
    from touchpoint_sends`)) as Record<string, number>[];
  assert.ok(past!['months']! >= 14, JSON.stringify(past));
  assert.ok(past!['suppressed']! > 40 && past!['by_bots']! > 500, JSON.stringify(past));
  assert.ok(past!['moved']! > 10 && past!['complaints']! > 0, JSON.stringify(past));
  assert.equal(past!['late_reasons'], 2);
  assert.deepEqual([past!['at_weekends'], past!['without_month']], [0, 0]);
}

/** Checks that one send is running, one needs attention and has a reason, some are scheduled, and one email is sent on request. */
async function checkOpenSends(app: TestApp, as: Person, organizationId: string): Promise<void> {
  const path = `/api/dashboard/work?organization_id=${organizationId}`;
  const { open, attention } = await get<DashboardWork>(app, as, path);
  assert.deepEqual(
    open.map(({ status }) => status),
    ['sending', 'queued', 'queued', 'queued'],
  );
  const [running, next] = open;
  assert.ok(running!.recipients_queued_count > 50 && running!.recipients_total_sent_count > 100);
  assert.ok(Date.parse(next!.send_date) > Date.now());
  const [onRequest] = await app.owner
    .selectFrom('touchpoint_sends')
    .select(['touchpoint_id', 'status', 'recipients_total_count'])
    .where('kind', '=', 'triggered')
    .orderBy('recipients_total_count', 'desc')
    .execute();
  assert.deepEqual([onRequest?.status, onRequest?.recipients_total_count], ['sending', 5]);
  const reactions = await get<{ count: number }>(
    app,
    as,
    `/api/reactions?organization_id=${organizationId}&state=waiting`,
  );
  assert.ok(reactions.count > 5, `${reactions.count} reactions wait`);
  const touchpoint = await get<Touchpoint>(app, as, `/api/touchpoints/${onRequest?.touchpoint_id}`);
  assert.equal(touchpoint.status, 'active');
  const paused = attention.find(({ kind }) => kind === 'send_paused');
  assert.ok(paused?.kind === 'send_paused');
  assert.match(paused.send.error_content ?? '', /rejects this sender: 550/);
  const waiting = await app.owner
    .selectFrom('delivery_queue')
    .select('due_at')
    .where('due_at', '>', sql<string>`now() + interval '15 minutes'`)
    .execute();
  assert.ok(waiting.length > 40);
}

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { CampaignTouchpoints, ListedCampaign } from '@reachout/contract/campaigns.ts';
import type { ClientWithBrands, ListedBrand, ListedClient } from '@reachout/contract/clients.ts';
import { type Figures } from '@reachout/contract/figures.ts';
import { figureColumns } from '@reachout/contract/rules/figure-columns.ts';
import type { Send } from '@reachout/contract/sends.ts';
import type { SendKind } from '@reachout/contract/states/send.ts';
import type { EmailStats } from '@reachout/contract/statistics.ts';
import type { ListedTouchpoint } from '@reachout/contract/touchpoints.ts';
import { noListeners } from '../../events/listeners.ts';
import { storeEvents } from '../../events/store-events.ts';
import type { MessageEvent } from '../../events/event.ts';
import { newId } from '../../platform/ids.ts';
import { signInGuest } from '../../testing/actors.ts';
import { useSharedApp, type Person, type TestApp } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import {
  buildBrand,
  buildCampaign,
  buildOrganization,
  buildSend,
  buildTouchpoint,
} from '../../sample/records.ts';
import { createRandom } from '../../platform/random.ts';
import { buildOpen } from '../../testing/events.ts';
import { insertRows } from '../../sample/rows.ts';
import { getRow, updateRows } from '../../testing/rows.ts';
import { signInWithRules } from '../../testing/sign-in-with-rules.ts';

type Counts = Pick<Figures, 'recipients' | 'delivered' | 'not_measured' | 'opened' | 'clicked'>;
type List<T> = { items: T[]; count: number };

interface Branch {
  id: string;
  campaign_id: string;
  brand_id: string;
  client_id: string;
}

const recipients = 30;
const random = createRandom(45);
const moment = () => new Date(Date.parse('2026-10-01T00:00:00Z') + random.below(40 * 86_400_000));

suite('figures of records', () => {
  const app = useSharedApp();
  let organization_id: string;
  let reader: Person;
  let touchpoints: Branch[];
  let noise: Branch[];
  /** Expected values by touchpoint: counters of all sends except tests, and messages opened or clicked by people. */
  const results = new Map<string, { recipients: number; delivered: number; not_measured: number }>();
  const reactions = new Map<string, Set<string>>();

  const expected = (matches: (branch: Branch) => boolean): Counts => {
    const own = touchpoints.filter(matches);
    const sum = (count: (id: string) => number) => own.reduce((all, { id }) => all + count(id), 0);
    return {
      recipients: sum((id) => results.get(id)?.recipients ?? 0),
      delivered: sum((id) => results.get(id)?.delivered ?? 0),
      not_measured: sum((id) => results.get(id)?.not_measured ?? 0),
      opened: sum((id) => reactions.get(`${id} OPEN_EMAIL`)?.size ?? 0),
      clicked: sum((id) => reactions.get(`${id} CLICK`)?.size ?? 0),
    };
  };

  before(async () => {
    organization_id = (await buildOrganization(app.owner)).id;
    reader = await app.signInMember(organization_id, 'analyst');
    touchpoints = await buildBranches(app, organization_id);
    noise = await buildBranches(app, (await buildOrganization(app.owner)).id);
    for (const branch of [...touchpoints, ...noise]) await fill(branch);
  });

  async function fill(branch: Branch) {
    const sends: string[] = [];
    for (const kind of ['campaign', 'follow_up', 'test'] as const)
      sends.push(await buildResults(branch, kind));
    const events = Array.from({ length: 80 }, () => buildEvent(branch, random.pick(sends)));
    // In batches in random order, some of them repeated: a repeated event is another open of the same message.
    const again = events.filter(() => random.chance(0.3)).map((event) => ({ ...event, id: newId() }));
    const all = [...events, ...again].toSorted(() => random.next() - 0.5);
    for (let from = 0; from < all.length; from += 20)
      await storeEvents(app.services.trackingPipelined, all.slice(from, from + 20), noListeners);
  }

  async function buildResults({ id, brand_id }: Branch, kind: SendKind): Promise<string> {
    const [bounced, failed, uncertain, held] = [
      random.below(5),
      random.below(4),
      random.below(3),
      random.below(4),
    ];
    // A message that bounced after it was accepted still counts as accepted, but not as delivered.
    const bouncedLater = random.below(3);
    const delivered = recipients - bounced - bouncedLater - failed - uncertain - held;
    const notMeasured = random.below(delivered);
    const send = await buildSend(app.owner, {
      touchpoint_id: id,
      brand_id,
      kind,
      user_created: reader.userId,
      send_date: moment().toISOString(),
      status: held === 0 ? 'completed' : 'sending',
      recipients_total_count: recipients,
      recipients_accepted_count: delivered + bouncedLater,
      recipients_total_sent_count: delivered,
      recipients_not_measured_count: notMeasured,
      recipients_total_delivery_failed_count: bounced + bouncedLater,
      recipients_total_failed_count: failed,
      recipients_uncertain_count: uncertain,
    });
    if (held > 0)
      await insertRows(app.owner, 'delivery_chunks', {
        organization_id: send.organization_id,
        send_id: send.id,
        first_seq: 1,
        last_seq: recipients,
        marked_up_to: recipients,
        lease_token: 1,
        worker_id: 1,
        lease_until: new Date(Date.now() + 3_600_000).toISOString(),
        sent_count: held,
        not_measured_count: held,
      });
    if (kind !== 'test') {
      const others = results.get(id) ?? { recipients: 0, delivered: 0, not_measured: 0 };
      results.set(id, {
        recipients: others.recipients + recipients,
        delivered: others.delivered + delivered + held,
        not_measured: others.not_measured + notMeasured + held,
      });
    }
    isTest.set(send.id, kind === 'test');
    organizationOf.set(send.id, send.organization_id);
    return send.id;
  }
  const isTest = new Map<string, boolean>();
  const organizationOf = new Map<string, string>();

  function buildEvent({ id }: Branch, sendId: string): MessageEvent {
    const type = random.chance(0.4) ? 'CLICK' : 'OPEN_EMAIL';
    const event: MessageEvent = {
      ...buildOpen(
        { organizationId: organizationOf.get(sendId)!, touchpointId: id, sendId },
        1 + random.below(recipients),
      ),
      type,
      linkNo: type === 'CLICK' ? random.below(3) : null,
      at: moment(),
      isBot: random.chance(0.25),
    };
    if (!event.isBot && isTest.get(sendId) === false) {
      const key = `${id} ${type}`;
      reactions.set(key, (reactions.get(key) ?? new Set()).add(`${sendId} ${event.seq}`));
    }
    return event;
  }

  const get = async <T>(path: string, as = reader): Promise<T> => {
    const response = await app.request<T>('GET', path, { as });
    assert.equal(response.status, 200, JSON.stringify(response.body));
    return response.body;
  };
  const list = <T>(path: string, as = reader, more = '') =>
    get<List<T>>(`/api/${path}?organization_id=${organization_id}&page_size=100${more}`, as);

  test('figures of lists and pages equal the stored rows', async () => {
    const campaigns = await list<ListedCampaign>('campaigns');
    assert.equal(campaigns.count, 4);
    for (const { id, figures } of campaigns.items)
      assert.deepEqual(
        countsOf(figures),
        expected((each) => each.campaign_id === id),
      );
    for (const { id, figures } of (await list<ListedClient>('clients')).items)
      assert.deepEqual(
        countsOf(figures),
        expected((each) => each.client_id === id),
      );
    for (const { id, figures } of (await list<ListedBrand>('brands')).items)
      assert.deepEqual(
        countsOf(figures),
        expected((each) => each.brand_id === id),
      );
    for (const client of (await list<ClientWithBrands>('clients_brands')).items) {
      assert.deepEqual(
        countsOf(client.figures),
        expected((each) => each.client_id === client.client_id),
      );
      assert.deepEqual(
        client.brands.map(({ figures }) => countsOf(figures)),
        client.brands.map(({ brand_id }) => expected((each) => each.brand_id === brand_id)),
      );
    }
    const groups = await list<CampaignTouchpoints>('campaigns_touchpoints');
    const ofGroups = new Map(
      groups.items.flatMap((group) => group.touchpoints.map((row) => [row.touchpoint_id, row.figures])),
    );
    const rows = await list<ListedTouchpoint>('touchpoints');
    assert.equal(rows.items.length, touchpoints.length);
    for (const { id, figures } of rows.items) {
      const counts = expected((each) => each.id === id);
      assert.deepEqual(countsOf(figures), counts);
      assert.deepEqual(ofGroups.get(id), figures);

      const where = `/api/content/${organization_id}/reachout/touchpoint_emails/stats?touchpoint=${id}`;
      const { data: stats } = await get<{ data: EmailStats }>(where);
      const { items: sends } = await get<List<Send>>(`/api/touchpoints/${id}/sends`);
      const sum = (count: (send: Send) => number) => sends.reduce((all, send) => all + count(send), 0);
      assert.deepEqual(
        {
          recipients: stats.recipients,
          delivered: stats.delivered,
          not_measured: stats.not_measured,
          opened: stats.opened.unique,
          clicked: stats.clicked.unique,
        },
        counts,
      );
      assert.deepEqual(
        [
          sum((send) => send.recipients_total_count),
          sum((send) => send.recipients_total_sent_count),
          sum((send) => send.recipients_not_measured_count),
        ],
        [counts.recipients, counts.delivered, counts.not_measured],
      );
      const last = sends.find(({ kind }) => kind === 'campaign')!;
      const { full_name: by } = await getRow(app.owner, 'users', '*', { id: reader.userId });
      const { recipients_total_sent_count: reached } = last;
      const short = reached >= recipients * 0.95 ? 'mostly_sent' : 'partly_sent';
      const outcome = last.status === 'completed' ? short : 'sending';
      assert.deepEqual(figures?.last_send, {
        id: last.id,
        touchpoint_id: id,
        outcome: reached === recipients ? 'sent' : outcome,
        not_delivered: last.status === 'completed' ? recipients - reached : 0,
        at: last.send_date,
        by,
      });
      assert.equal(figures.email_touchpoint_id, id);
    }
  });

  test('figures are limited to the clients of a guest', async () => {
    const { client_id } = touchpoints[0]!;
    const guest = await signInGuest(app, organization_id, [client_id]);
    const narrowed = [
      await list<ListedCampaign>('campaigns', guest),
      await list<ListedCampaign>('campaigns', reader, `&client_id=${client_id}`),
    ];
    for (const { items } of narrowed) {
      assert.deepEqual(new Set(items.map(({ brand }) => brand.client.id)), new Set([client_id]));
      for (const { id, figures } of items)
        assert.deepEqual(
          countsOf(figures),
          expected((each) => each.campaign_id === id),
        );
    }
    for (const path of ['touchpoints', 'brands', 'clients_brands', 'campaigns_touchpoints']) {
      const { count } = await list(path, reader, `&client_id=${client_id}`);
      assert.equal(count, (await list(path, guest)).count, path);
      assert.equal((await list(path, guest, `&client_id=${noise[0]!.client_id}`)).count, 0);
    }
  });

  test('figures require read access to their records', async () => {
    const noStatistics = await signInWithRules(app, organization_id, [
      { action: 'read', subject: 'Campaign' },
      { action: 'read', subject: 'Touchpoint' },
    ]);
    for (const { figures } of (await list<ListedCampaign>('campaigns', noStatistics)).items) {
      assert.equal(figures?.recipients === 0, false);
      assert.deepEqual([figures?.opened, figures?.clicked], [null, null]);
    }
    const campaignsAlone = await signInWithRules(app, organization_id, [
      { action: 'read', subject: 'Campaign' },
    ]);
    for (const { figures } of (await list<ListedCampaign>('campaigns', campaignsAlone)).items)
      assert.equal(figures, null);
    const refused = async (as: Person, column: string) =>
      assertProblem(
        await app.request('GET', `/api/campaigns?organization_id=${organization_id}&order=${column}.desc`, {
          as,
        }),
        403,
        'forbidden',
      );
    await refused(noStatistics, 'opened');
    await refused(noStatistics, 'clicked');
    await refused(campaignsAlone, 'recipients');
    await refused(campaignsAlone, 'sent_at');

    // Can read the campaigns of all clients, and the touchpoints of one.
    const { client_id } = touchpoints[0]!;
    const narrow = await signInWithRules(app, organization_id, [
      { action: 'read', subject: 'Campaign' },
      { action: 'read', subject: 'Touchpoint', conditions: { client_id } },
    ]);
    const { items } = await list<ListedCampaign>('campaigns', narrow, '&order=delivered.desc');
    assert.equal(items.length, 4);
    for (const { brand, figures } of items)
      assert.equal(figures?.recipients === 0, brand.client.id !== client_id);
  });

  test('lists can be sorted by figures', async () => {
    const lists = [
      'campaigns',
      'touchpoints',
      'clients',
      'brands',
      'clients_brands',
      'campaigns_touchpoints',
    ];
    // Sorting uses the stored counters, which do not include open chunks yet.
    await updateRows(
      app.owner,
      'delivery_chunks',
      { organization_id },
      { sent_count: 0, not_measured_count: 0 },
    );
    for (const path of lists)
      for (const column of figureColumns)
        for (const direction of ['asc', 'desc'] as const) {
          const { items } = await list<{ figures: Figures }>(path, reader, `&order=${column}.${direction}`);
          const values = items.map(({ figures }) => valueOf(figures, column));
          assert.ok(items.length > 1);
          const sorted = values.toSorted((one, other) => (direction === 'asc' ? one - other : other - one));
          assert.deepEqual(values, sorted, `${path} ${column} ${direction}`);
        }
  });
});

const countsOf = (figures: Figures | null): Counts | null =>
  figures && {
    recipients: figures.recipients,
    delivered: figures.delivered,
    not_measured: figures.not_measured,
    opened: figures.opened,
    clicked: figures.clicked,
  };

const valueOf = (figures: Figures, column: (typeof figureColumns)[number]): number =>
  column === 'sent_at' ? Date.parse(figures.last_send?.at ?? '') : (figures[column] ?? 0);

/** Builds two clients with one brand each, two campaigns per brand, and two emails per campaign. */
async function buildBranches({ owner }: TestApp, organization_id: string): Promise<Branch[]> {
  const branches: Branch[] = [];
  for (let client = 0; client < 2; client += 1) {
    const brand = await buildBrand(owner, { organization_id });
    for (let each = 0; each < 4; each += 1) {
      const campaign_id =
        each % 2 === 0
          ? (await buildCampaign(owner, { brand_id: brand.id })).id
          : branches.at(-1)!.campaign_id;
      const { id } = await buildTouchpoint(owner, { campaign_id, status: 'sent' });
      branches.push({ id, campaign_id, brand_id: brand.id, client_id: brand.client_id });
    }
  }
  return branches;
}

/** Signs in a member with a custom role that can read these subjects, of all clients or of one. */

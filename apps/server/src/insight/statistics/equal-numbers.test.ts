import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, suite, test } from 'node:test';
import { sql } from 'kysely';
import type { CampaignTouchpoints, ListedCampaign } from '@reachout/contract/campaigns.ts';
import type { ClientWithBrands, ListedBrand, ListedClient } from '@reachout/contract/clients.ts';
import type { ContactMessage } from '@reachout/contract/contacts.ts';
import type { DashboardResults, EmailResults } from '@reachout/contract/dashboard.ts';
import type { Figures } from '@reachout/contract/figures.ts';
import { dashboardPeriods } from '@reachout/contract/rules/dashboard.ts';
import { figureColumns } from '@reachout/contract/rules/figure-columns.ts';
import type { Recipient, Send } from '@reachout/contract/sends.ts';
import type {
  CampaignFunnel,
  EmailChart,
  EmailStats,
  LinkClicks,
  WebsiteBreakdown,
  WebsiteConversions,
  WebsiteOverview,
} from '@reachout/contract/statistics.ts';
import type { ListedTouchpoint } from '@reachout/contract/touchpoints.ts';
import { noEffects } from '../../queue/result-statements.ts';
import { storeResults } from '../../queue/store-results.queries.ts';
import type { DeliveryResult } from '../../queue/delivery.ts';
import type { MessageEvent, VisitorEvent } from '../../events/event.ts';
import { inOrganization } from '../../platform/database/database.ts';
import { storeLateBounces } from '../../queue/late-results.queries.ts';
import { lockSend } from '../../queue/send.queries.ts';
import { foldEvents, readBacklog, reviewClicks } from '../../events/event-folder.queries.ts';
import { storeEvents } from '../../events/store-events.ts';
import { newId } from '../../platform/ids.ts';
import { signInGuest } from '../../testing/actors.ts';
import { useTestApp } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { getRow, updateRows } from '../../testing/rows.ts';
import { signInWithRules } from '../../testing/sign-in-with-rules.ts';
import { useWorld } from '../../testing/world.ts';
import { buildBrand, buildCampaign, buildClient, buildTouchpoint } from '../../sample/records.ts';
import { buildOpen } from '../../testing/events.ts';
import { bounced, failed, sent } from '../../testing/delivery-results.ts';
import { createRandom } from '../../platform/random.ts';
import { insertRows } from '../../sample/rows.ts';
import { buildSentEmail, type SentEmail } from '../../testing/sent-email.ts';
import { buildVisit, foldVisits } from '../../sample/events.ts';
import { recordConversions } from '../conversions/record-conversions.ts';

const contacts = 14;
const addresses = Array.from({ length: contacts }, (_, index) => `m${index + 1}@mail.example`);
const hourMs = 3_600_000;
const sixtyDays = 60 * 24 * hourMs;
const reactions = ['OPEN_EMAIL', 'CLICK', 'VISIT', 'UNSUBSCRIBE', 'COMPLAINT'] as const;
const aboutMessages: readonly string[] = ['VISIT', 'UNSUBSCRIBE', 'COMPLAINT'];

/** A send with the results of its messages, by seq. */
interface Mail extends SentEmail {
  campaignId: string;
  clientId: string;
  /** A test, of a deleted email, or of another organization. */
  isNoise: boolean;
  /** Also those that bounced later. */
  accepted: Set<number>;
  delivered: Set<number>;
  /** Messages whose opens and clicks are not measured, whatever became of them. */
  untracked: Set<number>;
  bounced: Set<number>;
  /** Messages with at least one stored event by a person, by type. */
  reactions: Record<(typeof reactions)[number], Set<number>>;
  opens: number;
  clicks: number;
  bots: number;
  /** Values of the conversions of each message, by seq. */
  conversions: Map<number, number[]>;
}

/** A website with a goal, and one that was removed, and its events by people, each once. */
interface Site {
  touchpointId: string;
  goals: { id: string; event: string; windowDays: number; isRemoved: boolean }[];
  visits: VisitorEvent[];
  conversions: { mail: Mail | undefined; value: number }[];
}

interface Numbers {
  recipients: number;
  accepted: number;
  delivered: number;
  not_measured: number;
  bounced: number;
  opened: number;
  clicked: number;
  converted: number;
  unsubscribed: number;
  complained: number;
}

type Names = keyof Numbers;
const all: readonly Names[] = [
  'recipients',
  'accepted',
  'delivered',
  'not_measured',
  'bounced',
  'opened',
  'clicked',
  'converted',
  'unsubscribed',
  'complained',
];
const ofPeriod: readonly Names[] = [
  'delivered',
  'not_measured',
  'bounced',
  'opened',
  'clicked',
  'converted',
  'unsubscribed',
  'complained',
];
const ofLists: readonly Names[] = [
  'recipients',
  'delivered',
  'not_measured',
  'opened',
  'clicked',
  'converted',
];
const ofRecipients = all.filter((name) => name !== 'converted' && name !== 'accepted');

suite('equal numbers in all views', () => {
  const random = createRandom(20_261_123);
  const now = Date.now();
  const moment = () => new Date(now - hourMs - random.below(sixtyDays));
  const app = useTestApp();
  const { organizationId: organization_id, base, owner: reader } = useWorld(app);
  let mails: Mail[];
  let sites: Site[];

  before(async () => {
    await sql`
      insert into content_items (organization_id, collection, id, data)
      select ${organization_id}::uuid, 'contacts', 'contact-' || n, jsonb_build_object('email', address)
      from unnest(${addresses}::text[]) with ordinality contact(address, n)
    `.execute(app.owner);
    mails = [];
    for (let brand = 0; brand < 3; brand += 1) await buildBranch(brand);
    await buildNoise();
    for (const [index, mail] of mails.entries()) await endMessages(mail, index);
    await react();
    await visit();
    for (const mail of mails) await scan(mail);
  });

  /**
   * A brand with two campaigns with one email each: one that is sent once, and tested, and one of a series, which is sent with two
   * content items in the time zones of contacts, and followed up.
   */
  async function buildBranch(number: number): Promise<void> {
    const sameClient = number === 2 ? { client_id: mails[0]!.clientId } : { organization_id };
    const brand = await buildBrand(app.owner, sameClient);
    for (let each = 0; each < 2; each += 1) {
      const { id: campaignId } = await buildCampaign(app.owner, { brand_id: brand.id });
      const { id: touchpointId } = await buildTouchpoint(app.owner, {
        campaign_id: campaignId,
        status: 'sent',
      });
      const schedule = each === 0 ? null : await insertSchedule(touchpointId, brand.id);
      for (const [place, kind] of (each === 0
        ? ['test', 'campaign']
        : ['campaign', 'campaign', 'follow_up']
      ).entries()) {
        const mail = await buildSentEmail(app.owner, {
          organizationId: organization_id,
          touchpointId,
          addresses,
        });
        await sql`
          update touchpoint_sends set kind = ${kind}, user_created = ${reader.userId}
          where id = ${mail.sendId}`.execute(app.owner);
        if (schedule !== null && kind === 'campaign')
          await sql`
            update touchpoint_sends
            set schedule_id = ${schedule}, in_series = true, item_id = ${`item-${place}`},
              occurrence_at = send_date + make_interval(hours => 14, mins => ${place}::int)
            where id = ${mail.sendId}`.execute(app.owner);
        addMail(mail, { campaignId, clientId: brand.client_id, isNoise: kind === 'test' });
      }
    }
  }

  const addMail = (mail: SentEmail, of: Pick<Mail, 'campaignId' | 'clientId' | 'isNoise'>) =>
    mails.push({
      ...mail,
      ...of,
      accepted: new Set(),
      delivered: new Set(),
      untracked: new Set(),
      bounced: new Set(),
      reactions: {
        OPEN_EMAIL: new Set(),
        CLICK: new Set(),
        VISIT: new Set(),
        UNSUBSCRIBE: new Set(),
        COMPLAINT: new Set(),
      },
      opens: 0,
      clicks: 0,
      bots: 0,
      conversions: new Map(),
    });

  /** A deleted email, and one of another organization. */
  async function buildNoise(): Promise<void> {
    const { campaignId, clientId } = mails[0]!;
    const { id: touchpointId } = await buildTouchpoint(app.owner, {
      campaign_id: campaignId,
      deleted: true,
      deleted_at: new Date(now).toISOString(),
    });
    for (const place of [{ touchpointId }, {}])
      addMail(await buildSentEmail(app.owner, { ...place, addresses }), {
        campaignId,
        clientId,
        isNoise: true,
      });
  }

  async function insertSchedule(touchpoint_id: string, brand_id: string): Promise<string> {
    const id = newId();
    await insertRows(app.owner, 'touchpoint_schedules', {
      organization_id,
      id,
      touchpoint_id,
      brand_id,
      start_date: new Date(now).toISOString(),
      time_zone: 'Europe/Berlin',
      rrule: 'FREQ=DAILY',
      contact_time_zones: true,
    });
    return id;
  }

  /** Stores results in random order and repeatedly; for every other send, some messages bounce days later. */
  async function endMessages(mail: Mail, index: number): Promise<void> {
    const key = { organizationId: mail.organizationId, sendId: mail.sendId };
    await sql`
      update touchpoint_sends set recipients_total_sent_count = 0, recipients_accepted_count = 0
      where id = ${mail.sendId}`.execute(app.owner);
    const results = addresses.map((_, at): DeliveryResult => {
      const seq = at + 1;
      const build = random.pick([sent, sent, sent, sent, bounced, failed]);
      if (build === sent) mail.delivered.add(seq);
      if (build === bounced) mail.bounced.add(seq);
      const tracked = random.chance(0.6);
      if (!tracked) mail.untracked.add(seq);
      return { ...build(seq), tracked, at: moment().toISOString() };
    });
    const again = results.filter(() => random.chance(0.4));
    const told = [...results, ...again].toSorted(() => random.next() - 0.5);
    for (let from = 0; from < told.length; from += 6) {
      const part = new Map(told.slice(from, from + 6).map((result) => [result.seq, result]));
      await storeResults(app.services.trackingPipelined, key, [...part.values()], noEffects);
    }
    mail.accepted = new Set(mail.delivered);
    if (index % 4 === 2) await openChunk(mail);
    if (index % 4 !== 0) await bounceLater(mail);
  }

  /** Moves the counts of a send to a chunk that a worker has not ended yet. */
  const openChunk = ({ sendId }: Mail) =>
    sql`
      with send as (
        update touchpoint_sends set status = 'sending', recipients_total_sent_count = 0, recipients_accepted_count = 0,
          recipients_not_measured_count = 0, recipients_total_delivery_failed_count = 0, recipients_total_failed_count = 0
        where id = ${sendId}
        returning old.*
      ), totals as (
        delete from delivery_result_totals where send_id = ${sendId}
      )
      insert into delivery_chunks (organization_id, send_id, first_seq, last_seq, marked_up_to, worker_id, lease_token, lease_until,
        sent_count, not_measured_count, bounced_count, failed_count)
      select organization_id, id, 1, ${contacts}, ${contacts}, 1, 1, now() + interval '1 hour',
        recipients_total_sent_count, recipients_not_measured_count, recipients_total_delivery_failed_count, recipients_total_failed_count
      from send`.execute(app.owner);

  /** Reports come in twice for some messages, of which one has failed already. */
  async function bounceLater(mail: Mail): Promise<void> {
    const late = [...mail.delivered].slice(0, 2);
    for (const seq of late) {
      mail.delivered.delete(seq);
      mail.bounced.add(seq);
    }
    const reports = [...mail.bounced].map(
      (seq) => ({ seq, class: 'address_hard', reply: '550 no' }) as const,
    );
    for (let time = 1; time <= 2; time += 1)
      await inOrganization(app.owner, mail.organizationId, async (trx) => {
        await lockSend(trx, mail.sendId);
        await storeLateBounces(trx, mail, reports);
      });
  }

  /** Stores events of two months in batches in random order, some of them twice. */
  async function react(): Promise<void> {
    const events = Array.from({ length: 700 }, () => buildEvent(random.pick(mails)));
    const again = events.filter(() => random.chance(0.3)).map((event) => ({ ...event, id: newId() }));
    const told = [...events, ...again].toSorted(() => random.next() - 0.5);
    for (let from = 0; from < told.length; from += 70) {
      await storeEvents(app.services.trackingPipelined, told.slice(from, from + 70));
      await foldEvents(app.services.trackingPipelined, 'message', 10 + random.below(30));
    }
    const byId = new Map(mails.map((mail) => [mail.sendId, mail]));
    for (const { type, sendId, seq, isBot } of told) {
      const mail = byId.get(sendId)!;
      if (!isBot && type !== 'BOUNCE') mail.reactions[type].add(seq);
      if (isBot) mail.bots += 1;
      else if (type === 'OPEN_EMAIL') mail.opens += 1;
      else if (type === 'CLICK') mail.clicks += 1;
    }
  }

  /** Scanners follow all links of some messages, which a person clicks before, after or never. */
  async function scan(mail: Mail): Promise<void> {
    const unclicked = addresses.map((_, index) => index + 1).filter((seq) => !mail.reactions.CLICK.has(seq));
    for (const seq of unclicked.slice(0, 3)) {
      const from = Number(moment());
      const click = (linkNo: number, afterMs: number): MessageEvent => ({
        ...buildOpen(mail, seq),
        type: 'CLICK',
        linkNo,
        at: new Date(from + afterMs),
        isBot: false,
      });
      const ofScanner = [click(1, 0), click(0, 800), click(2, 900), click(2, 1_200)];
      const ofPerson = [[], [click(1, 400_000)], [click(0, -30_000), click(2, 20_000)]][seq % 3]!;
      const told = [...ofScanner, ...ofPerson].toSorted((one, other) => Number(one.at) - Number(other.at));
      await storeEvents(app.services.trackingPipelined, told);
      mail.bots += ofScanner.length;
      mail.clicks += ofPerson.length;
      if (ofPerson.length > 0) mail.reactions.CLICK.add(seq);
    }
  }

  function buildEvent(mail: Mail): MessageEvent {
    const type = random.pick([...reactions, 'OPEN_EMAIL', 'OPEN_EMAIL', 'CLICK'] as const);
    return {
      ...buildOpen(mail, 1 + random.below(1 + random.below(contacts))),
      type,
      linkNo: type === 'CLICK' ? random.below(3) : null,
      at: moment(),
      isBot: !aboutMessages.includes(type) && random.chance(0.25),
    };
  }

  /** Visits of websites by a few people, late, in random order and repeatedly; some follow links of emails. */
  async function visit(): Promise<void> {
    sites = [];
    for (let number = 0; number < 3; number += 1) sites.push(await buildSite(number));
    const told = sites.flatMap(({ visits }) => [...visits, ...visits.filter(() => random.chance(0.2))]);
    told.sort(() => random.next() - 0.5);
    for (let from = 0; from < told.length; from += 60) {
      const listeners = [recordConversions];
      await storeEvents(app.services.trackingPipelined, told.slice(from, from + 60), listeners);
      if (from % 120 === 0) await foldEvents(app.services.trackingPipelined, 'visitor', 40);
    }
    await foldVisits(app.owner);
    for (const { goals } of sites)
      for (const { id } of goals.filter(({ isRemoved }) => isRemoved))
        await sql`delete from conversion_goals where id = ${id}`.execute(app.owner);
    for (const site of sites) attribute(site);
  }

  async function buildSite(number: number): Promise<Site> {
    const { id: touchpointId } = await buildTouchpoint(app.owner, {
      campaign_id: mails[number * 5]!.campaignId,
      type: 'website',
    });
    const goals = [false, true].map((isRemoved) => ({
      id: newId(),
      event: isRemoved ? 'Left' : 'Order',
      windowDays: isRemoved ? 7 : 20,
      isRemoved,
    }));
    for (const { id, event, windowDays: window_days } of goals)
      await insertRows(app.owner, 'conversion_goals', {
        organization_id,
        touchpoint_id: touchpointId,
        id,
        event,
        window_days,
      });
    const visitors = Array.from({ length: 9 }, () => randomUUID());
    const visits = Array.from({ length: 150 }, (): VisitorEvent => {
      const goal = random.pick([undefined, undefined, ...goals]);
      const mail = random.chance(0.4) ? random.pick(mails.slice(0, -2)) : undefined;
      const of = { organizationId: organization_id, touchpointId };
      return buildVisit(of, {
        visitorId: random.pick(visitors),
        at: moment(),
        path: `/${random.below(4)}`,
        isBot: random.chance(0.1),
        ...(goal === undefined
          ? { message: mail === undefined ? null : { sendId: mail.sendId, seq: 1 + random.below(contacts) } }
          : {
              type: 'TRACK',
              name: goal.event,
              conversion: { goalId: goal.id, windowDays: goal.windowDays, value: 1 + random.below(9) },
            }),
      });
    });
    return { touchpointId, goals, visits, conversions: [] };
  }

  /** By the rules, one by one: each conversion belongs to the message whose link the visitor followed last. */
  function attribute(site: Site): void {
    site.visits = site.visits.filter(({ isBot }) => !isBot);
    // Links of tests lead nowhere.
    const mailOf = ({ message }: VisitorEvent) =>
      mails.find(({ sendId, isNoise }) => !isNoise && sendId === message?.sendId);
    for (const { visitorId, at, conversion } of site.visits) {
      const goal = site.goals.find(({ id }) => id === conversion?.goalId);
      if (conversion === null || goal === undefined || goal.isRemoved) continue;
      const last = site.visits
        .filter((other) => other.visitorId === visitorId && mailOf(other) !== undefined && other.at <= at)
        .toSorted((one, other) => Number(one.at) - Number(other.at))
        .at(-1);
      const isInTime = last !== undefined && Number(at) - Number(last.at) <= goal.windowDays * 24 * hourMs;
      const mail = isInTime ? mailOf(last) : undefined;
      const value = conversion.value ?? 0;
      site.conversions.push({ mail, value });
      if (mail !== undefined) {
        const { seq } = last!.message!;
        mail.conversions.set(seq, [...(mail.conversions.get(seq) ?? []), value]);
      }
    }
  }

  const counted = (matches: (mail: Mail) => boolean) =>
    mails.filter((mail) => !mail.isNoise && matches(mail));

  const expected = (matches: (mail: Mail) => boolean, names: readonly Names[]): Partial<Numbers> => {
    const own = counted(matches);
    const numbers: Numbers = {
      recipients: own.length * contacts,
      accepted: sum(own.map((mail) => mail.accepted.size)),
      delivered: sum(own.map((mail) => mail.delivered.size)),
      not_measured: sum(own.map((mail) => notMeasured(mail).size)),
      bounced: sum(own.map((mail) => mail.bounced.size)),
      opened: sum(own.map((mail) => mail.reactions.OPEN_EMAIL.size)),
      clicked: sum(own.map((mail) => mail.reactions.CLICK.size)),
      converted: sum(own.map((mail) => mail.conversions.size)),
      unsubscribed: sum(own.map((mail) => mail.reactions.UNSUBSCRIBE.size)),
      complained: sum(own.map((mail) => mail.reactions.COMPLAINT.size)),
    };
    return pick(numbers, names);
  };

  const assertWaiting = async (atLeast: number) => {
    const { message } = (await readBacklog(app.services.trackingPipelined)).unfolded;
    assert.ok(atLeast === 0 ? message === 0 : message >= atLeast, `${message} events wait`);
  };

  const get = <T>(path: string, as = reader) => as.ok<T>('GET', path);
  const list = async <T>(path: string, as = reader, more = '') =>
    (await get<{ items: T[] }>(`/api/${path}?organization_id=${organization_id}&page_size=100${more}`, as))
      .items;
  const dashboard = (query: object, as = reader) => {
    const where = new URLSearchParams({ organization_id, period: '90day', ...query }).toString();
    return get<DashboardResults>(`/api/dashboard/results?${where}`, as);
  };
  const statistics = async <T>(what: string, query: Record<string, string>) => {
    const where = new URLSearchParams(query).toString();
    const path = `${base}/reachout/touchpoint_emails/${what}?${where}`;
    return (await get<{ data: T }>(path)).data;
  };

  test('the fixture contains every compared number', () => {
    for (const [name, value] of Object.entries(expected(() => true, all)))
      assert.ok(value > 10, `${name}: ${value}`);
    assert.ok(sum(mails.map(({ bots }) => bots)) > 10);
  });

  /** The emails behind the numbers of the dashboard, over all pages, add up to these numbers, in the order of each. */
  const assertEmails = async (time_zone: string, isOwn: (mail: Mail) => boolean, client?: string) => {
    for (const column of ['delivered', 'clicked', 'opened', 'converted', 'unsubscribed'] as const) {
      const rows: EmailResults[] = [];
      for (let page = 0; page < 2; page += 1) {
        const query = new URLSearchParams({
          organization_id,
          period: '90day',
          time_zone,
          order: `${column}.desc`,
          page: String(page),
          page_size: '4',
          ...(client === undefined ? {} : { client_id: client }),
        }).toString();
        const listed = await get<{ items: EmailResults[]; count: number; total: Numbers }>(
          `/api/dashboard/results/emails?${query}`,
        );
        assert.deepEqual(pick(listed.total, ofPeriod), expected(isOwn, ofPeriod));
        assert.equal(listed.count, new Set(counted(isOwn).map((mail) => mail.touchpointId)).size);
        rows.push(...listed.items);
      }
      for (const { touchpoint, ...row } of rows)
        assert.deepEqual(
          pick(row as unknown as Numbers, ofPeriod),
          expected((mail) => mail.touchpointId === touchpoint.id, ofPeriod),
        );
      const values = rows.map((row) => row[column]);
      assert.equal(sum(values), expected(isOwn, [column])[column]);
      assert.deepEqual(
        values,
        values.toSorted((one, other) => other - one),
      );
    }
  };

  const assertFigures = (figures: Figures | null, matches: (mail: Mail) => boolean) =>
    assert.deepEqual(figures && pick(figures as unknown as Numbers, ofLists), expected(matches, ofLists));

  /** The list, over all of its pages, and the export have this many recipients. */
  const assertListed = async ({ sendId }: Mail, filter: string, expectedCount: number) => {
    const path = `/api/sends/${sendId}/deliveries`;
    const seqs: (number | null)[] = [];
    for (let page = 0; page * 10 <= expectedCount; page += 1) {
      const listed = await get<{ items: Recipient[]; count: number }>(
        `${path}?${filter}&page_size=10&page=${page}`,
      );
      assert.equal(listed.count, expectedCount, filter);
      seqs.push(...listed.items.map(({ seq }) => seq));
    }
    assert.equal(new Set(seqs).size, expectedCount, filter);
    assert.equal(readCsv(await get<string>(`${path}/export?${filter}`)).length, expectedCount, filter);
  };

  /** Compares the numbers of all screens, in whatever state the events are. */
  const compare = () => {
    test('dashboard numbers are equal in every time zone', async () => {
      for (const time_zone of ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu']) {
        const results = await dashboard({ time_zone });
        assert.deepEqual(
          pick(results.total, ofPeriod),
          expected(() => true, ofPeriod),
        );
        for (const name of ofPeriod as readonly (keyof DashboardResults['total'])[])
          assert.equal(sum(results.rows.map((row) => row[name])), results.total[name], name);
        const clients = [undefined, ...results.clients.map(({ client }) => client.id)];
        for (const client of clients)
          await assertEmails(time_zone, (mail) => client === undefined || mail.clientId === client, client);
        assert.equal(results.clients_count, 2);
        for (const { client, ...row } of results.clients)
          assert.deepEqual(
            pick(row, ofPeriod),
            expected(({ clientId }) => clientId === client.id, ofPeriod),
          );
        const recent = await get<{ campaigns: ListedCampaign[] }>(
          `/api/dashboard/recent?organization_id=${organization_id}`,
        );
        assert.equal(recent.campaigns.length, 5);
        for (const { id, figures } of recent.campaigns)
          assertFigures(figures, ({ campaignId }) => campaignId === id);
      }
    });

    test('the dashboard of each period is the sum of its emails', async () => {
      const touchpoints = [...new Set(counted(() => true).map(({ touchpointId }) => touchpointId))];
      const names = ofPeriod as readonly (keyof DashboardResults['total'])[];
      for (const [index, period] of dashboardPeriods.entries()) {
        const time_zone = ['UTC', 'Europe/Berlin', 'Asia/Kathmandu'][index % 3]!;
        const ofEmails = <T>(what: string, more = {}) =>
          Promise.all(
            touchpoints.map((touchpoint) => statistics<T>(what, { touchpoint, period, time_zone, ...more })),
          );
        const sumOf = async (more: object) => {
          const numbers = (await ofEmails<EmailStats>('stats', more)).map(toNumbers);
          return Object.fromEntries(names.map((name) => [name, sum(numbers.map((each) => each[name]))]));
        };
        const results = await dashboard({ period, time_zone });
        assert.deepEqual(results.total, await sumOf({}), period);
        const { from, until } = results.previous_period;
        assert.equal(new Date(until).getUTCMinutes() % 15, 0);
        assert.deepEqual(
          results.previous_total,
          await sumOf({ period: `${from}::${until}` }),
          `before ${period}`,
        );
        const charts = await ofEmails<EmailChart>('stats_chart');
        const inRows = ['delivered', 'not_measured', 'bounced', 'opened', 'clicked'] as const;
        assert.deepEqual(
          results.rows.map((row) => [row.at, ...inRows.map((name) => row[name])]),
          charts[0]!.rows.map(({ at }, place) => [
            at,
            ...inRows.map((name) => sum(charts.map(({ rows }) => rows[place]![name]))),
          ]),
          period,
        );
      }
    });

    test('list numbers equal the stored rows', async () => {
      for (const { id, figures } of await list<ListedCampaign>('campaigns'))
        assertFigures(figures, ({ campaignId }) => campaignId === id);
      for (const { id, figures } of await list<ListedTouchpoint>('touchpoints'))
        assertFigures(figures, ({ touchpointId }) => touchpointId === id);
      for (const { id, figures } of await list<ListedClient>('clients'))
        assertFigures(figures, ({ clientId }) => clientId === id);
      for (const { id, figures } of await list<ListedBrand>('brands'))
        assertFigures(figures, ({ brandId }) => brandId === id);
      for (const { client_id, figures, brands } of await list<ClientWithBrands>('clients_brands')) {
        assertFigures(figures, ({ clientId }) => clientId === client_id);
        for (const brand of brands) assertFigures(brand.figures, ({ brandId }) => brandId === brand.brand_id);
      }
      const groups = await list<CampaignTouchpoints>('campaigns_touchpoints');
      assert.equal(groups.length, 6);
      for (const { touchpoint_id, figures } of groups.flatMap((group) => group.touchpoints))
        assertFigures(figures, ({ touchpointId }) => touchpointId === touchpoint_id);
    });

    test('email and send statistics equal the stored rows', async () => {
      for (const { touchpointId, sendId } of counted(() => true))
        for (const send of [undefined, sendId]) {
          const where = { touchpoint: touchpointId, ...(send === undefined ? {} : { send }) };
          const isOwn = (mail: Mail) =>
            mail.touchpointId === touchpointId && (send === undefined || mail.sendId === send);
          const stats = await statistics<EmailStats>('stats', where);
          const inPeriod = await statistics<EmailStats>('stats', { ...where, period: '90day' });
          assert.deepEqual({ ...inPeriod, uncertain: 0, queued: 0 }, stats);
          const numbers = toNumbers(stats);
          assert.deepEqual(pick(numbers, all), expected(isOwn, all));
          const own = counted(isOwn);
          assert.deepEqual(
            [stats.opened.total, stats.clicked.total, stats.opened.bots + stats.clicked.bots],
            [
              sum(own.map((mail) => mail.opens)),
              sum(own.map((mail) => mail.clicks)),
              sum(own.map((mail) => mail.bots)),
            ],
          );
          const values = own.flatMap(({ conversions }) => [...conversions.values()].flat());
          const visited = sum(own.map((mail) => mail.reactions.VISIT.size));
          assert.deepEqual(
            [stats.visited, stats.conversions, stats.conversion_value],
            [visited, values.length, sum(values)],
          );
          const { rows } = await statistics<EmailChart>('stats_chart', { ...where, period: '90day' });
          for (const name of ofPeriod as readonly (keyof DashboardResults['total'])[])
            assert.equal(sum(rows.map((row) => row[name])), numbers[name], name);
          const links = await statistics<{ total: number }[]>('links', where);
          assert.equal(sum(links.map(({ total }) => total)), stats.clicked.total);
        }
    });

    test('the funnels of campaigns add up', async () => {
      for (const campaign of new Set(mails.map(({ campaignId }) => campaignId))) {
        const isOwn = ({ campaignId }: Mail) => campaignId === campaign;
        const { total, emails } = await get<CampaignFunnel>(`/api/campaigns/${campaign}/funnel`);
        const names = ['delivered', 'not_measured', 'clicked', 'converted'] as const;
        assert.deepEqual(pick(total, names), expected(isOwn, names));
        assert.equal(sum(emails.map(({ conversions }) => conversions)), total.conversions);
        assert.equal(total.visited, sum(counted(isOwn).map((mail) => mail.reactions.VISIT.size)));
      }
    });

    test('websites have equal numbers on the page, in files and in the API', async () => {
      for (const { touchpointId, visits, conversions } of sites)
        for (const time_zone of ['UTC', 'Asia/Kathmandu']) {
          const where = { touchpoint: touchpointId, period: '90day', time_zone };
          const ask = async <T>(what: string, more = {}) => {
            const query = new URLSearchParams({ ...where, ...more }).toString();
            const path = `${base}/reachout/touchpoint_websites/${what}?${query}`;
            return (await get<{ data: T }>(path)).data;
          };
          const file = async (table: string) => {
            const query = new URLSearchParams({ table, period: '90day', time_zone }).toString();
            return readCsv(await get<string>(`/api/touchpoints/${touchpointId}/statistics/export?${query}`));
          };
          const add = (rows: readonly object[], name: string) =>
            sum(rows.map((row) => Number((row as Record<string, unknown>)[name])));
          const countBy = (type: string) => visits.filter((event) => event.type === type).length;
          const totals = {
            page_views: countBy('VIEW_PAGE'),
            events: countBy('TRACK'),
            sessions: countStarts(visits),
            conversions: conversions.length,
          };
          const overview = await ask<WebsiteOverview>('overview');
          const chart = await file('chart');
          for (const [name, total] of Object.entries(totals)) {
            assert.equal(overview.total[name as keyof typeof totals], total, name);
            assert.equal(add(overview.rows, name), total, name);
            assert.equal(add(chart, name), total, name);
          }
          assert.equal(overview.total.visitors, new Set(visits.map(({ visitorId }) => visitorId)).size);
          assert.equal(overview.total.conversion_value, sum(conversions.map(({ value }) => value)));
          for (const [dimension, total] of [
            ['path', totals.page_views],
            ['event', totals.events],
            ['referrer', totals.page_views],
          ] as const) {
            const breakdown = await ask<WebsiteBreakdown>('breakdown', { dimension });
            assert.equal(breakdown.total.count, total, dimension);
            assert.equal(add(breakdown.rows, 'count'), total, dimension);
            assert.equal(add(await file(dimension), 'count'), total, dimension);
            if (dimension === 'referrer') assert.equal(breakdown.total.sessions, totals.sessions);
          }
          const { goals, emails } = await ask<WebsiteConversions>('conversions');
          const attributed = conversions.filter(({ mail }) => mail !== undefined).length;
          assert.deepEqual(
            [add(goals, 'conversions'), add(goals, 'attributed'), add(emails, 'conversions')],
            [conversions.length, attributed, attributed],
          );
          assert.equal(add(await file('goals'), 'conversions'), conversions.length);
          assert.equal(add(await file('emails'), 'conversions'), attributed);
          for (const { touchpoint, ...row } of emails)
            assert.equal(
              row.conversions,
              conversions.filter(({ mail }) => mail?.touchpointId === touchpoint?.id).length,
            );
          const { events } = await ask<{ events: { type: string; count: number }[] }>('stats');
          for (const { type, count } of events) assert.equal(count, countBy(type), type);
          const sessions = await ask<{ rows: object[] }>('stats_chart', { distinct: 'true' });
          assert.equal(add(sessions.rows, 'count'), totals.sessions);
        }
      const rows = await list<ListedTouchpoint>('touchpoints');
      for (const { touchpointId, conversions } of sites)
        assert.equal(rows.find(({ id }) => id === touchpointId)?.figures?.conversions, conversions.length);
    });

    test('send pages and recipient exports have equal numbers', async () => {
      for (const mail of counted(() => true)) {
        const { sendId } = mail;
        const isOwn = (other: Mail) => other.sendId === sendId;
        const send = await get<Send>(`/api/sends/${sendId}`);
        const counts = {
          recipients: send.recipients_total_count,
          delivered: send.recipients_total_sent_count,
          not_measured: send.recipients_not_measured_count,
          bounced: send.recipients_total_delivery_failed_count,
        };
        assert.deepEqual(counts, expected(isOwn, ['recipients', 'delivered', 'not_measured', 'bounced']));
        for (const [state, name] of [
          ['sent', 'delivered'],
          ['bounced', 'bounced'],
        ] as const) {
          const listed = await get<{ count: number }>(`/api/sends/${sendId}/deliveries?state=${state}`);
          assert.equal(listed.count, counts[name]);
        }
        await assertListed(mail, 'reaction=opened', mail.reactions.OPEN_EMAIL.size);
        await assertListed(mail, 'reaction=clicked', mail.reactions.CLICK.size);
        await assertListed(mail, 'reaction=converted', mail.conversions.size);
        await assertListed(mail, 'reaction=unsubscribed', mail.reactions.UNSUBSCRIBE.size);
        await assertListed(mail, 'reaction=complained', mail.reactions.COMPLAINT.size);
        const links = await statistics<LinkClicks[]>('links', {
          touchpoint: mail.touchpointId,
          send: sendId,
        });
        for (const { link_no, unique } of links) await assertListed(mail, `link=${link_no}`, unique);
        const rows = readCsv(await get<string>(`/api/sends/${sendId}/deliveries/export`));
        const count = (matches: (row: Record<string, string>) => boolean) => rows.filter(matches).length;
        assert.deepEqual(
          {
            recipients: rows.length,
            delivered: count((row) => row['state'] === 'sent'),
            not_measured: count((row) => row['state'] === 'sent' && row['is_measured'] === 'false'),
            bounced: count((row) => row['state'] === 'bounced'),
            opened: count((row) => row['first_opened_at'] !== ''),
            clicked: count((row) => row['first_clicked_at'] !== ''),
            unsubscribed: count((row) => row['unsubscribed_at'] !== ''),
            complained: count((row) => row['complained_at'] !== ''),
          },
          expected(isOwn, ofRecipients),
        );
      }
    });

    test('contact pages have equal numbers', async () => {
      const messages: ContactMessage[] = [];
      for (let contact = 1; contact <= contacts; contact += 1)
        messages.push(
          ...(
            await get<{ items: ContactMessage[] }>(`${base}/timeline/contacts/contact-${contact}?limit=100`)
          ).items,
        );
      for (const { sendId, opens, clicks, bots } of counted(() => true)) {
        const own = messages.filter((message) => message.send_id === sendId);
        const of = (type: string) =>
          own.flatMap(({ events }) => [events.filter((event) => event.type === type)]);
        const reached = (type: string) =>
          of(type).filter((events) => events.some(({ count }) => count > 0)).length;
        const times = (type: string, name: 'count' | 'bot_count') =>
          sum(of(type).flatMap((events) => events.map((event) => event[name])));
        assert.deepEqual(
          {
            recipients: own.length,
            delivered: own.filter(({ state }) => state === 'sent').length,
            bounced: own.filter(({ state }) => state === 'bounced').length,
            opened: reached('OPEN_EMAIL'),
            clicked: reached('CLICK'),
            unsubscribed: reached('UNSUBSCRIBE'),
            complained: reached('COMPLAINT'),
          },
          expected(
            (mail) => mail.sendId === sendId,
            ofRecipients.filter((name) => name !== 'not_measured'),
          ),
        );
        assert.deepEqual(
          [
            times('OPEN_EMAIL', 'count'),
            times('CLICK', 'count'),
            times('OPEN_EMAIL', 'bot_count') + times('CLICK', 'bot_count'),
          ],
          [opens, clicks, bots],
        );
      }
    });
  };

  suite('after a fold that was killed, and others', () => {
    before(async () => {
      await assertWaiting(200);
      const folding = app.owner.transaction().execute(async (trx) => {
        const { rows } = await sql<{ folded: number }>`
          select fold_message_events(100) as folded, pg_terminate_backend(pg_backend_pid())`.execute(trx);
        return rows;
      });
      await assert.rejects(folding);
      await assertWaiting(200);
      while ((await foldEvents(app.services.trackingPipelined, 'message', 200)) > 0);
      await assertWaiting(0);
      while ((await reviewClicks(app.services.trackingPipelined, 20)) > 0);
    });
    compare();

    test('lists tell how the last campaign of an email ended', async () => {
      const { full_name: by } = await getRow(app.owner, 'users', '*', { id: reader.userId });
      for (const { id, figures, type } of await list<ListedTouchpoint>('touchpoints')) {
        if (type !== 'email') continue;
        const { items: sends } = await get<{ items: Send[] }>(`/api/touchpoints/${id}/sends`);
        const last = sends.find(({ kind }) => kind === 'campaign')!;
        const reached = last.recipients_total_sent_count;
        const hasEnded = last.status === 'completed';
        const short = reached >= contacts * 0.95 ? 'mostly_sent' : 'partly_sent';
        assert.deepEqual(figures?.last_send, {
          id: last.id,
          touchpoint_id: id,
          outcome: reached === contacts ? 'sent' : hasEnded ? short : 'sending',
          not_delivered: hasEnded ? contacts - reached : 0,
          at: last.occurrence_at ?? last.send_date,
          by,
        });
        assert.equal(figures.email_touchpoint_id, id);
      }
    });

    test('numbers are limited to the clients of a guest (TEN-7)', async () => {
      const { clientId: client_id } = mails[0]!;
      const other = mails.find(({ clientId }) => clientId !== client_id)!.clientId;
      const elsewhere = (await buildClient(app.owner)).id;
      const guest = await signInGuest(app, organization_id, [client_id]);
      for (const items of [
        await list<ListedCampaign>('campaigns', guest),
        await list<ListedCampaign>('campaigns', reader, `&client_id=${client_id}`),
      ]) {
        assert.deepEqual(new Set(items.map(({ brand }) => brand.client.id)), new Set([client_id]));
        for (const { id, figures } of items) assertFigures(figures, ({ campaignId }) => campaignId === id);
      }
      for (const path of ['touchpoints', 'brands', 'clients_brands', 'campaigns_touchpoints']) {
        const { length } = await list(path, reader, `&client_id=${client_id}`);
        assert.equal(length, (await list(path, guest)).length, path);
        assert.equal((await list(path, guest, `&client_id=${elsewhere}`)).length, 0);
      }
      for (const results of [await dashboard({ client_id }), await dashboard({}, guest)]) {
        assert.deepEqual(
          pick(results.total, ofPeriod),
          expected(({ clientId }) => clientId === client_id, ofPeriod),
        );
        assert.deepEqual(
          results.clients.map(({ client }) => client.id),
          [client_id],
        );
      }
      for (const denied of [
        await dashboard({ client_id: other }, guest),
        await dashboard({ client_id: newId() }),
      ])
        assert.deepEqual(
          [denied.total, denied.clients_count],
          [Object.fromEntries(ofPeriod.map((name) => [name, 0])), 0],
        );
    });

    test('figures require read access to their records', async () => {
      const read = (subject: string, conditions?: object) => ({ action: 'read', subject, conditions });
      const signIn = (...rules: ReturnType<typeof read>[]) => signInWithRules(app, organization_id, rules);
      const noStatistics = await signIn(read('Campaign'), read('Touchpoint'));
      for (const { figures } of await list<ListedCampaign>('campaigns', noStatistics)) {
        assert.equal(figures?.recipients === 0, false);
        assert.deepEqual([figures?.opened, figures?.clicked], [null, null]);
      }
      const campaignsAlone = await signIn(read('Campaign'));
      for (const { figures } of await list<ListedCampaign>('campaigns', campaignsAlone))
        assert.equal(figures, null);
      for (const [as, column] of [
        [noStatistics, 'opened'],
        [noStatistics, 'clicked'],
        [campaignsAlone, 'recipients'],
        [campaignsAlone, 'sent_at'],
      ] as const) {
        const path = `/api/campaigns?organization_id=${organization_id}&order=${column}.desc`;
        assertProblem(await as.request('GET', path), 403, 'forbidden');
      }
      // Can read the campaigns of all clients, and the touchpoints of one.
      const { clientId: client_id } = mails[0]!;
      const narrow = await signIn(read('Campaign'), read('Touchpoint', { client_id }));
      const items = await list<ListedCampaign>('campaigns', narrow, '&order=delivered.desc');
      assert.equal(items.length, 6);
      for (const { brand, figures } of items)
        assert.equal(figures?.recipients === 0, brand.client.id !== client_id);
    });

    test('lists can be sorted by figures', async () => {
      // Sorting uses the stored counters, which do not include open chunks yet.
      await updateRows(
        app.owner,
        'delivery_chunks',
        { organization_id },
        { sent_count: 0, not_measured_count: 0 },
      );
      const valueOf = (figures: Figures, column: (typeof figureColumns)[number]): number =>
        column === 'sent_at' ? Date.parse(figures.last_send?.at ?? '') : (figures[column] ?? 0);
      for (const path of [
        'campaigns',
        'touchpoints',
        'clients',
        'brands',
        'clients_brands',
        'campaigns_touchpoints',
      ])
        for (const column of figureColumns)
          for (const direction of ['asc', 'desc'] as const) {
            const order = `&order=${column}.${direction}`;
            const rows = await list<{ figures: Figures }>(path, reader, order);
            const items = rows.filter(({ figures }) => figures.last_send !== null);
            const values = items.map(({ figures }) => valueOf(figures, column));
            assert.ok(items.length > 1);
            const sorted = values.toSorted((one, two) => (direction === 'asc' ? one - two : two - one));
            assert.deepEqual(values, sorted, `${path} ${column} ${direction}`);
          }
    });

    test('stored totals equal the rows', async () => {
      const { rows } = await sql`
        select send_id, type, at, sum(messages) as messages
        from (
          select c.subject_id as send_id, c.dimension as type, c.day + q.quarter * interval '15 minutes' as at,
            counts_between(c.running_counts, q.quarter, q.quarter + 1) as messages
          from counts c
          cross join generate_series(0, 95) q (quarter)
          where c.value = 'unique' and c.day > '-infinity'
          union all
          select send_id, type, date_bin('15 minutes', first_human_at at time zone 'UTC', 'epoch'), -1
          from delivery_event_counts where link_no = -1 and human_count > 0
        ) compared
        group by 1, 2, 3
        having sum(messages) <> 0
      `.execute(app.owner);
      assert.deepEqual(rows, []);
    });
  });
});

/** Sessions: events of a visitor without a pause of more than 30 minutes. */
const countStarts = (visits: readonly VisitorEvent[]): number =>
  sum(
    [...Map.groupBy(visits, ({ visitorId }) => visitorId).values()].map((own) => {
      const times = own.map(({ at }) => Number(at)).toSorted((one, other) => one - other);
      return times.filter((at, index) => index === 0 || at - times[index - 1]! > 30 * 60_000).length;
    }),
  );

const notMeasured = ({ delivered, untracked }: Mail): Set<number> =>
  new Set([...delivered].filter((seq) => untracked.has(seq)));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const pick = (numbers: Partial<Numbers>, names: readonly Names[]): Partial<Numbers> =>
  Object.fromEntries(names.map((name) => [name, numbers[name]]));

const toNumbers = ({ opened, clicked, ...stats }: EmailStats): Numbers => ({
  ...stats,
  opened: opened.unique,
  clicked: clicked.unique,
});

/** Parses a CSV file whose cells contain no separators. */
function readCsv(text: string): Record<string, string>[] {
  const [head = '', ...lines] = text.replace('\u{feff}', '').trimEnd().split('\r\n');
  const names = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
  });
}

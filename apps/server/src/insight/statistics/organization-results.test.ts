import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { sql } from 'kysely';
import type { DashboardResults, Results } from '@reachout/contract/dashboard.ts';
import { dashboardPeriods } from '@reachout/contract/rules/dashboard.ts';
import type { EmailStats } from '@reachout/contract/statistics.ts';
import { transactionAs } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { noListeners } from '../../events/listeners.ts';
import { storeEvents, storeEventsIn } from '../../events/store-events.ts';
import type { MessageEvent } from '../../events/event.ts';
import { useSharedApp } from '../../testing/app.ts';
import {
  buildBrand,
  buildCampaign,
  buildClient,
  buildOrganization,
  buildTouchpoint,
} from '../../sample/records.ts';
import { buildOpen } from '../../testing/events.ts';
import { insertRows } from '../../sample/rows.ts';
import { updateRows } from '../../testing/rows.ts';
import { createRandom } from '../../platform/random.ts';
import { buildSentEmail, type SentEmail } from '../../testing/sent-email.ts';
import { getEmailChart, getEmailStats } from './email-statistics.ts';
import { getOrganizationResults } from './organization-results.ts';

/** After the end of daylight saving time in Berlin, and not at the start of a quarter of an hour. */
const now = new Date('2026-10-26T08:20:00Z');
const hourMs = 3_600_000;
const messages = 12;

interface Email extends SentEmail {
  clientId: string;
}

suite('results of an organization', () => {
  const app = useSharedApp();
  let organizationId: string;
  let clients: string[];
  let emails: Email[];

  before(async () => {
    organizationId = (await buildOrganization(app.owner)).id;
    const { id: elsewhere } = await buildOrganization(app.owner);
    clients = [];
    for (let count = 0; count < 3; count += 1)
      clients.push((await buildClient(app.owner, { organization_id: organizationId })).id);
    emails = [];
    for (const clientId of [...clients, ...clients.slice(0, 2)]) emails.push(await buildEmail(clientId));
    await fill([...emails, ...(await buildNoise(elsewhere))]);
  });
  async function buildEmail(clientId: string): Promise<Email> {
    const { id: brand_id } = await buildBrand(app.owner, { client_id: clientId });
    const { id: campaign_id } = await buildCampaign(app.owner, { brand_id });
    const { id: touchpointId } = await buildTouchpoint(app.owner, { campaign_id });
    return { ...(await buildSentEmail(app.owner, { touchpointId, addresses: addresses() })), clientId };
  }

  /** Data that must not be counted: a deleted email, a test send, and another organization. */
  async function buildNoise(elsewhere: string): Promise<Email[]> {
    const deleted = await buildEmail(clients[0]!);
    await updateRows(
      app.owner,
      'touchpoints',
      { id: deleted.touchpointId },
      { deleted: true, deleted_at: now.toISOString() },
    );
    const tried = await buildEmail(clients[1]!);
    await updateRows(app.owner, 'touchpoint_sends', { id: tried.sendId }, { kind: 'test' });
    const foreign = await buildSentEmail(app.owner, { organizationId: elsewhere, addresses: addresses() });
    return [deleted, tried, { ...foreign, clientId: '' }];
  }

  /** Stores results and events of the last half year; events are repeated, in batches in random order. */
  async function fill(all: Email[]): Promise<void> {
    const random = createRandom(20_261_026);
    const moment = () => new Date(now.getTime() - 1 - Math.floor(random.next() ** 3 * 185 * 24 * hourMs));
    for (const [index, email] of all.entries()) await storeResults(email, index, moment);
    const events = Array.from({ length: 900 }, (): MessageEvent => {
      const email = random.pick(all);
      const type = random.pick(['OPEN_EMAIL', 'OPEN_EMAIL', 'CLICK', 'UNSUBSCRIBE'] as const);
      return {
        ...buildOpen(email, 1 + random.below(messages)),
        type,
        linkNo: type === 'CLICK' ? random.below(3) : null,
        at: moment(),
        isBot: type !== 'UNSUBSCRIBE' && random.chance(0.25),
      };
    });
    const [once, repeated] = [true, false].map((is) =>
      events.filter(({ type }) => (type === 'UNSUBSCRIBE') === is),
    );
    for (let batch = 0; batch < 900; batch += 60)
      await storeEvents(app.services.trackingPipelined, repeated!.slice(batch, batch + 60), noListeners);
    for (const [of, own] of Map.groupBy(once!, (event) => event.organizationId))
      await transactionAs(app.services.db, { organizationId: of }, async (trx) => {
        for (const event of own) await storeEventsIn(trx, of, [event], noListeners);
      });
  }

  /** Every other email has its results in totals, the others in an open chunk. */
  async function storeResults(email: Email, index: number, moment: () => Date): Promise<void> {
    const key = { organization_id: email.organizationId, send_id: email.sendId };
    const rows = [];
    for (let seq = 1; seq <= messages; seq += 1) {
      const at = moment().toISOString();
      const state = (['sent', 'sent', 'bounced', 'failed'] as const)[seq % 4]!;
      // A bounce a month after the mail server accepted the message.
      const earlier = seq % 8 === 2 ? new Date(Date.parse(at) - 30 * 24 * hourMs).toISOString() : null;
      rows.push({
        ...key,
        seq,
        state,
        attempts: 1,
        at,
        accepted_at: state === 'sent' ? at : earlier,
        tracked: seq % 3 !== 0,
      });
    }
    await insertRows(app.owner, 'delivery_results', rows);
    if (index % 2 === 0)
      await sql`
        insert into delivery_result_totals (organization_id, touchpoint_id, send_id, at, state, class, count, not_measured)
        select ${email.organizationId}, ${email.touchpointId}, ${email.sendId}, at, state, class, count, not_measured
        from sum_results(${email.organizationId}, ${email.sendId}, 1, ${messages})
      `.execute(app.owner);
    else
      await insertRows(app.owner, 'delivery_chunks', {
        ...key,
        first_seq: 1,
        last_seq: messages,
        marked_up_to: messages,
        lease_token: 1,
      });
  }

  interface Look {
    timeZone?: string;
    period?: (typeof dashboardPeriods)[number];
    clientId?: string;
    /** The clients of a limited member. */
    only?: string[];
  }

  const look = ({ timeZone = 'UTC', period = '30day', clientId, only }: Look): Promise<DashboardResults> =>
    transactionAs(
      app.services.db,
      { organizationId, ...(only && { accessScope: { client_ids: only, brand_ids: [] } }) },
      (trx) => getOrganizationResults(trx, { organizationId, clientId, period, timeZone, now }),
    );

  const ofStats = (stats: readonly EmailStats[]): Results => ({
    delivered: sum(stats.map(({ delivered }) => delivered)),
    not_measured: sum(stats.map(({ not_measured }) => not_measured)),
    bounced: sum(stats.map(({ bounced }) => bounced)),
    opened: sum(stats.map(({ opened }) => opened.unique)),
    clicked: sum(stats.map(({ clicked }) => clicked.unique)),
    converted: sum(stats.map(({ converted }) => converted)),
    unsubscribed: sum(stats.map(({ unsubscribed }) => unsubscribed)),
  });

  const statsOf = (of: readonly Email[], text: string, timeZone = 'UTC') =>
    transactionAs(app.services.db, { organizationId }, async (trx) => {
      const stats: EmailStats[] = [];
      for (const { touchpointId } of of)
        stats.push(await getEmailStats(trx, { organizationId, touchpointId }, { text, timeZone, now }));
      return ofStats(stats);
    });

  for (const timeZone of ['UTC', 'Europe/Berlin', 'Asia/Kathmandu'])
    for (const period of dashboardPeriods)
      test(`organization results are sums of its emails: ${period}, ${timeZone}`, async () => {
        const results = await look({ timeZone, period });
        assert.deepEqual(results.total, await statsOf(emails, period, timeZone));
        assert.ok(results.total.opened > 0 && results.total.clicked > 0, 'there is something to compare');

        const { from, until } = results.previous_period;
        assert.equal(new Date(until).getUTCMinutes() % 15, 0);
        assert.deepEqual(results.previous_total, await statsOf(emails, `${from}::${until}`));

        const charts = await transactionAs(app.services.db, { organizationId }, async (trx) => {
          const read = [];
          for (const { touchpointId } of emails)
            read.push(
              await getEmailChart(trx, { organizationId, touchpointId }, { text: period, timeZone, now }),
            );
          return read;
        });
        assert.deepEqual(
          results.rows.map(({ at, ...row }) => [
            at,
            row.delivered,
            row.not_measured,
            row.bounced,
            row.opened,
            row.clicked,
          ]),
          charts[0]!.rows.map(({ at }, index) => [
            at,
            ...(['delivered', 'not_measured', 'bounced', 'opened', 'clicked'] as const).map((column) =>
              sum(charts.map(({ rows }) => rows[index]![column])),
            ),
          ]),
        );
        for (const { client, ...row } of results.clients)
          assert.deepEqual(
            row,
            await statsOf(
              emails.filter(({ clientId }) => clientId === client.id),
              period,
              timeZone,
            ),
          );
        assert.equal(results.clients.length, results.clients_count);
      });

  test('client results are limited to that client (TEN-7)', async () => {
    const [first, second] = clients as [string, string];
    const expected = await statsOf(
      emails.filter(({ clientId }) => clientId === second),
      '90day',
    );
    const asked = await look({ period: '90day', clientId: second });
    const limited = await look({ period: '90day', only: [second] });
    for (const results of [asked, limited]) {
      assert.deepEqual(results.total, expected);
      assert.deepEqual(
        results.clients.map(({ client }) => client.id),
        [second],
      );
    }
    assert.deepEqual(asked, limited);
    const none = {
      delivered: 0,
      not_measured: 0,
      bounced: 0,
      opened: 0,
      clicked: 0,
      converted: 0,
      unsubscribed: 0,
    };
    for (const denied of [
      await look({ period: '90day', clientId: first, only: [second] }),
      await look({ period: '90day', clientId: newId() }),
    ])
      assert.deepEqual([denied.total, denied.clients_count], [none, 0]);
  });
});

const addresses = () => Array.from({ length: messages }, (_, index) => `m${index + 1}@example.org`);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

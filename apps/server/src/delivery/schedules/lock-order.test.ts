import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { campaignStatusFrom } from '@reachout/contract/states/campaign.ts';
import { openSendStatuses, sendCan, type SendStatus } from '@reachout/contract/states/send.ts';
import type { Schedule } from '@reachout/contract/schedules.ts';
import { sql } from 'kysely';
import { execute, rowsOf, inOrganization } from '../../platform/database/database.ts';
import { createRandom } from '../../platform/random.ts';
import { useTestApp, type Person } from '../../testing/app.ts';
import { copyTenant, pictureTenant, type TenantPicture } from '../../testing/copy-tenant.ts';
import { mailboxPolicies } from '../../testing/mailbox-policies.ts';
import { startProductWorker } from '../../testing/product-worker.ts';
import { buildReadyEmail, type ReadyEmail } from '../../testing/ready-email.ts';
import { getRow } from '../../testing/rows.ts';
import { countAccounts } from '../../testing/send-accounts.ts';
import { startSmtpSink } from '../../testing/smtp-sink.ts';
import { countWaiting } from '../../testing/wait-for-lock.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { createWaker } from '../../testing/wake-workers.ts';
import { assertBalanced } from '../../testing/watch-accounts.ts';
import { completeOrSchedule } from '../sends/end-send.ts';
import { prepareSend } from '../worker/prepare-send.ts';

/** A daily email, of which one send is going out and the next is due, and one that is due once, in a campaign. */
interface Campaign {
  organizationId: string;
  userId: string;
  email: string;
  campaignId: string;
  daily: { touchpointId: string; scheduleId: string; going: string; due: string };
  once: { touchpointId: string; scheduleId: string; due: string };
}

interface SendState {
  id: string;
  touchpoint_id: string;
  status: SendStatus;
  sent: number;
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

suite('order of locks', () => {
  const app = useTestApp();

  const post = async <T>(person: Person, path: string, body: object = {}): Promise<T> =>
    await person.ok<T>('POST', `/api${path}`, body);
  const plan = async (person: Person, touchpointId: string, rrule: string | null) => {
    const body = { start_date: inDays(1), time_zone: 'UTC', rrule };
    const { id, next } = await post<Schedule>(person, `/touchpoints/${touchpointId}/schedules`, body);
    return { touchpointId, scheduleId: id, sendId: next!.send_id };
  };
  const addEmail = async ({ person, touchpointId }: ReadyEmail): Promise<string> =>
    (await post<{ id: string }>(person, `/touchpoints/${touchpointId}/duplicate`, { name: 'Offer' })).id;
  const listSends = (organizationId: string) => rowsOf<SendState>(app.owner)`
      select id, touchpoint_id, status, recipients_total_sent_count as sent from counted_sends
      where organization_id = ${organizationId}`;
  /** The time of everything that is planned has come: occurrences of a series are a microsecond apart. */
  const letBeDue = (organizationId: string) =>
    execute(app.owner)`
      update touchpoint_sends s
      set send_date = now(), next_due_at = now(), occurrence_at = now() - place * interval '1 microsecond'
      from (
        select id, row_number() over () as place from touchpoint_sends
        where organization_id = ${organizationId} and status = 'queued'
      ) due
      where s.id = due.id and s.status = 'queued'`;

  test('everything at once beside a worker sends nothing twice', async (t) => {
    const sink = await startSmtpSink();
    t.after(() => sink.close());
    const random = createRandom(20_261_128);
    const ready = await buildReadyEmail(app);
    const { person, organizationId, campaignId, touchpointId } = ready;
    const emails = [touchpointId, await addEmail(ready), await addEmail(ready)];
    const schedules: string[] = [];
    for (const email of emails) schedules.push((await plan(person, email, 'FREQ=DAILY')).scheduleId);
    const statuses = new Set<number>();
    const ask = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body: object = {}) => {
      statuses.add((await person.request(method, `/api${path}`, body)).status);
    };
    const pickSend = async (isWanted: (send: SendState) => boolean) => {
      const some = (await listSends(organizationId)).filter(isWanted);
      return some.length === 0 ? undefined : random.pick(some).id;
    };
    const skip = async () => {
      const id = await pickSend(sendCan.undo);
      if (id !== undefined) await ask('POST', `/sends/${id}/cancel`);
    };
    const changes = [
      () => ask('POST', `/campaigns/${campaignId}/pause`),
      () => ask('POST', `/campaigns/${campaignId}/resume`),
      () => ask('POST', `/touchpoints/${random.pick(emails)}/pause`),
      () => ask('POST', `/touchpoints/${random.pick(emails)}/resume`),
      () => ask('PATCH', `/schedules/${random.pick(schedules)}`, { start_date: inDays(1 + random.below(9)) }),
      skip,
    ];
    const worker = startProductWorker(t, app, sink);
    const wake = createWaker(app.owner);
    const resumeAll = async () => {
      for (const { id } of (await listSends(organizationId)).filter(sendCan.resume))
        await ask('POST', `/sends/${id}/resume`);
    };
    const isCompleted = ({ status }: SendState) => status === 'completed';
    for (let round = 1; round <= 4; round += 1) {
      await letBeDue(organizationId);
      await wake();
      await Promise.all(Array.from({ length: 6 }, () => random.pick(changes)()));
      await resumeAll();
      await letBeDue(organizationId);
      await waitUntil('another one is sent', async () => {
        await wake();
        return (await listSends(organizationId)).filter(isCompleted).length >= round;
      });
    }
    await Promise.all(schedules.map((id) => ask('DELETE', `/schedules/${id}`)));
    await resumeAll();
    const ended = await waitUntil('all have ended', async () => {
      await wake();
      const sends = await listSends(organizationId);
      return sends.every(({ status }) => !openSendStatuses.includes(status)) ? sends : undefined;
    });
    await worker.stop();
    assert.deepEqual(
      [...statuses].filter((status) => status !== 200 && status !== 409),
      [],
    );
    for (const { id } of ended) assertBalanced(await countAccounts(app.owner, id));
    // A send that was cancelled after it had started may have reached some.
    for (const { sent } of ended.filter(isCompleted)) assert.equal(sent, 3);
    const messageIds = sink.taken.map(({ messageId }) => messageId);
    assert.equal(new Set(messageIds).size, messageIds.length);
    assert.equal(
      messageIds.length,
      ended.reduce((sum, { sent }) => sum + sent, 0),
    );
    // The connections of the worker have told their deadlocks when they ended.
    const rows = await rowsOf<{ deadlocks: number }>(app.owner)`
      select deadlocks from pg_stat_database where datname = current_database()`;
    assert.equal(rows[0]?.deadlocks, 0);
  });

  // After the test with a worker, which would send these, too.
  suite('of two that meet', () => {
    let open: TenantPicture<Campaign>;
    let held: TenantPicture<Campaign>;

    before(async () => {
      const made = await buildCampaign();
      open = await pictureTenant(app.owner, made, { newPeople: true });
      await post(await app.signIn(made), `/campaigns/${made.campaignId}/pause`);
      held = await pictureTenant(app.owner, made, { newPeople: true });
    });

    async function buildCampaign(): Promise<Campaign> {
      const ready = await buildReadyEmail(app, { contacts: 2 });
      const { person, organizationId, campaignId, touchpointId } = ready;
      const { sendId: going, ...daily } = await plan(person, touchpointId, 'FREQ=DAILY');
      await letBeDue(organizationId);
      assert.ok(await prepareSend(app.services.db, mailboxPolicies, { organizationId, sendId: going }));
      await endMessages(going);
      const next = await getRow(app.owner, 'touchpoint_sends', ['id'], {
        schedule_id: daily.scheduleId,
        status: 'queued',
      });
      const { sendId: due, ...once } = await plan(person, await addEmail(ready), null);
      await letBeDue(organizationId);
      const { userId, email } = person;
      const sends = { daily: { ...daily, going, due: next.id }, once: { ...once, due } };
      return { organizationId, userId, email, campaignId, ...sends };
    }

    /** All messages of a send have failed, so that it ends as soon as a worker looks. */
    async function endMessages(sendId: string): Promise<void> {
      await execute(app.owner)`
        insert into delivery_results (organization_id, send_id, seq, state, attempts, at)
        select organization_id, send_id, seq, 'failed', 1, now() from deliveries where send_id = ${sendId}`;
      await execute(app.owner)`
        update delivery_chunks set done = true, lease_token = 1, marked_up_to = last_seq, failed_count = last_seq - first_seq + 1
        where send_id = ${sendId}`;
    }

    /** What a user or a worker does. @returns the status of the response, if it is a request */
    type Step = (campaign: Campaign, person: Person) => Promise<number | undefined>;
    const request =
      (
        method: 'POST' | 'PATCH' | 'DELETE',
        pathOf: (campaign: Campaign) => string,
        body: object = {},
      ): Step =>
      async (campaign, person) =>
        (await person.request(method, `/api${pathOf(campaign)}`, body)).status;
    const rename = (idOf: (campaign: Campaign) => string) =>
      request('PATCH', (campaign) => `/touchpoints/${idOf(campaign)}`, { name: 'Renamed' });
    const start =
      (sendOf: (campaign: Campaign) => string): Step =>
      async (campaign) => {
        const ref = { organizationId: campaign.organizationId, sendId: sendOf(campaign) };
        await prepareSend(app.services.db, mailboxPolicies, ref);
        return undefined;
      };
    const steps = {
      pause: request('POST', ({ campaignId }) => `/campaigns/${campaignId}/pause`),
      resume: request('POST', ({ campaignId }) => `/campaigns/${campaignId}/resume`),
      unschedule: request('DELETE', ({ daily }) => `/schedules/${daily.scheduleId}`),
      move: request('PATCH', ({ daily }) => `/schedules/${daily.scheduleId}`, { start_date: inDays(3) }),
      skip: request('POST', ({ daily }) => `/sends/${daily.due}/cancel`),
      'rename the daily': rename(({ daily }) => daily.touchpointId),
      'rename the other': rename(({ once }) => once.touchpointId),
      'resume the other': request('POST', ({ once }) => `/sends/${once.due}/resume`),
      'start the next': start(({ daily }) => daily.due),
      'start the other': start(({ once }) => once.due),
      end: async ({ organizationId, daily }) => {
        await inOrganization(app.services.db, organizationId, (trx) =>
          completeOrSchedule(trx, { organizationId, sendId: daily.going }, []),
        );
        return undefined;
      },
    } satisfies Record<string, Step>;
    type StepName = keyof typeof steps;

    /**
     * Holds a row that both need until both wait for it with what they have locked before: then the first one gets it, and goes
     * on while the second one keeps its locks.
     */
    async function meet(
      picture: TenantPicture<Campaign>,
      names: readonly [StepName, StepName],
      row: { table: 'campaigns' | 'touchpoints'; idOf: (campaign: Campaign) => string },
    ): Promise<void> {
      const campaign = await copyTenant(app.owner, picture);
      const person = await app.signIn(campaign);
      const running = await app.owner.transaction().execute(async (trx) => {
        await execute(trx)`
          select from ${sql.table(row.table)} where id = ${row.idOf(campaign)} for no key update`;
        const begun: Promise<number | undefined>[] = [];
        for (const name of names) {
          const waiting = await countWaiting(app.owner);
          let isSettled = false;
          const step = steps[name](campaign, person).finally(() => {
            isSettled = true;
          });
          step.catch(() => undefined);
          begun.push(step);
          await waitUntil(
            `${name} waits or has ended`,
            async () => isSettled || (await countWaiting(app.owner)) > waiting,
          );
        }
        return begun;
      });
      const both = names.join(', ');
      const outcomes = await Promise.allSettled(running);
      for (const outcome of outcomes) {
        assert.ok(
          outcome.status === 'fulfilled',
          `${both}: ${String((outcome as PromiseRejectedResult).reason)}`,
        );
        assert.ok([undefined, 200, 404, 409].includes(outcome.value), `${both}: status ${outcome.value}`);
      }
      await assertConsistent(campaign, names);
    }

    /** Whichever came first, nothing was overlooked, and the statuses follow from those of the sends. */
    async function assertConsistent(
      { organizationId, campaignId, daily, once }: Campaign,
      names: readonly StepName[],
    ): Promise<void> {
      const both = names.join(', ');
      const sends = await listSends(organizationId);
      for (const { id } of sends) assertBalanced(await countAccounts(app.owner, id));
      const openSends = sends.filter(({ status }) => openSendStatuses.includes(status));
      const coming = sends.filter((send) => send.touchpoint_id === daily.touchpointId && sendCan.undo(send));
      if (names.includes('unschedule')) assert.deepEqual(coming, [], both);
      // One that was stopped while it was prepared waits, too.
      else
        assert.equal(
          coming.filter(({ id }) => id !== daily.due).length <= 1 && coming.length > 0,
          true,
          both,
        );
      if (names[0] === 'pause' || names[1] === 'pause')
        if (!names.includes('move')) assert.ok(openSends.every(sendCan.resume), `${both}: all are paused`);

      const touchpoints = [];
      for (const { touchpointId } of [daily, once]) {
        const { status } = await getRow(app.owner, 'touchpoints', ['status'], { id: touchpointId });
        const own = openSends.filter((send) => send.touchpoint_id === touchpointId);
        assert.equal(status === 'paused', own.length > 0 && own.every(sendCan.resume), `${both}: ${status}`);
        touchpoints.push({ type: 'email', status } as const);
      }
      const { status } = await getRow(app.owner, 'campaigns', ['status'], { id: campaignId });
      assert.equal(status, campaignStatusFrom(touchpoints), both);
    }

    const byCampaign = { table: 'campaigns', idOf: ({ campaignId }: Campaign) => campaignId } as const;
    const byEmail = { table: 'touchpoints', idOf: ({ daily }: Campaign) => daily.touchpointId } as const;
    const inBothOrders = (one: StepName, others: readonly StepName[]) =>
      others.flatMap((other): [StepName, StepName][] => [
        [one, other],
        [other, one],
      ]);

    test('a campaign is paused beside any change below it', async () => {
      const others = [
        'unschedule',
        'move',
        'rename the daily',
        'rename the other',
        'start the next',
        'start the other',
        'end',
      ] as const;
      for (const pair of inBothOrders('pause', others)) await meet(open, pair, byCampaign);
    });

    test('a campaign is resumed beside any change below it', async () => {
      const others = ['unschedule', 'move', 'rename the other', 'resume the other'] as const;
      for (const pair of inBothOrders('resume', others)) await meet(held, pair, byCampaign);
    });

    test('a series changes while its sends start and end', async () => {
      for (const pair of [
        ...inBothOrders('unschedule', ['move', 'skip', 'start the next', 'end']),
        ...inBothOrders('end', ['move', 'skip', 'start the next']),
        ...inBothOrders('start the next', ['move', 'skip']),
      ])
        await meet(open, pair, byEmail);
    });
  });
});

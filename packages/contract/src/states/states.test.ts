import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  campaignCan,
  campaignStatuses,
  campaignStatusFrom,
  campaignTransitions,
  type CampaignStatus,
} from './campaign.ts';
import { importStatuses, importTransitions } from './import.ts';
import { jobStates, jobTransitions } from './job.ts';
import {
  hasEnded,
  isSettling,
  openSendStatuses,
  sendCan,
  sendKinds,
  sendStatuses,
  sendTransitions,
  touchpointStatusAfter,
  workingSendStatuses,
  type SendKind,
  type SendStatus,
} from './send.ts';
import {
  touchpointCan,
  touchpointStatuses,
  touchpointTransitions,
  type TouchpointStatus,
} from './touchpoint.ts';
import { isPossible, listBefore, type Transitions } from './transitions.ts';

function listArrows<S extends string>(statuses: readonly S[], transitions: Transitions<S>): string[] {
  return statuses.flatMap((from) => transitions[from].map((to) => `${from}>${to}`)).sort();
}

/** @returns the statuses that can follow each status, in the order of the alphabet; statuses that none follows are left out */
function waysOf<S extends string>(
  statuses: readonly S[],
  transitions: Transitions<S>,
): Record<string, string> {
  assert.deepEqual(Object.keys(transitions), [...statuses]);
  const ways = statuses.map((from) => [from, transitions[from].toSorted().join(' ')] as const);
  return Object.fromEntries(ways.filter(([, to]) => to !== ''));
}

suite('status transitions', () => {
  test('campaigns follow their transition table', () => {
    assert.deepEqual(waysOf(campaignStatuses, campaignTransitions), {
      archived: 'completed draft',
      completed: 'archived running scheduled',
      draft: 'archived running scheduled',
      paused: 'completed draft running scheduled',
      running: 'completed draft paused scheduled',
      scheduled: 'draft paused running',
    });
  });

  test('touchpoints follow their transition table', () => {
    assert.deepEqual(waysOf(touchpointStatuses, touchpointTransitions.email), {
      active: 'draft paused sent',
      archived: 'draft sent',
      draft: 'active archived scheduled',
      paused: 'active draft scheduled sending sent',
      scheduled: 'draft paused sending',
      sending: 'draft paused sent',
      sent: 'archived',
    });
    assert.deepEqual(waysOf(touchpointStatuses, touchpointTransitions.website), {
      active: 'archived paused',
      archived: 'draft',
      draft: 'active archived',
      paused: 'active archived',
    });
  });

  test('sends follow their transition table', () => {
    assert.deepEqual(waysOf(sendStatuses, sendTransitions), {
      held: 'cancelled queued',
      paused: 'cancelled sending',
      preparing: 'cancelled failed held sending',
      queued: 'cancelled failed held preparing',
      sending: 'cancelled completed paused',
    });
  });

  test('all other records follow their transition tables', () => {
    assert.deepEqual(waysOf(importStatuses, importTransitions), {
      checked: 'queued',
      checking: 'checked failed',
      failed: 'checking running',
      queued: 'running',
      running: 'completed failed queued',
      uploading: 'checking queued',
    });
    assert.deepEqual(listBefore(importTransitions, 'queued'), ['uploading', 'checked', 'running']);
    assert.deepEqual(waysOf(jobStates, jobTransitions), { failed: 'open', open: 'failed finished' });
  });
});

suite('statuses of sends', () => {
  const allowed = (can: (send: { status: SendStatus }) => boolean) =>
    sendStatuses.filter((status) => can({ status }));

  test('pausing, resuming and cancelling last until deliveries end', () => {
    assert.deepEqual(allowed(sendCan.pause), ['sending']);
    assert.deepEqual(allowed(sendCan.hold), ['queued']);
    assert.deepEqual(allowed(sendCan.resume), ['held', 'paused']);
    assert.deepEqual(allowed(sendCan.cancel), ['queued', 'held', 'preparing', 'sending', 'paused']);
    for (const kind of sendKinds)
      assert.deepEqual(
        allowed(({ status }) => sendCan.complete({ kind, status })),
        kind === 'triggered' ? [] : ['sending'],
        kind,
      );
    assert.deepEqual(allowed(sendCan.retryUncertain), ['sending', 'paused']);
  });

  test('all open sends except paused ones need workers', () => {
    assert.deepEqual(openSendStatuses, ['queued', 'held', 'preparing', 'sending', 'paused']);
    assert.deepEqual(workingSendStatuses, ['queued', 'preparing', 'sending']);
    assert.deepEqual(workingSendStatuses, [...allowed(sendCan.prepare), ...allowed(sendCan.deliver)]);
  });

  test('a send ends with its last counted message', () => {
    const cancelled = { status: 'cancelled', end_date: null } as const;
    assert.equal(hasEnded(cancelled), false);
    assert.equal(isSettling(cancelled), true);
    const settled = { ...cancelled, end_date: '2026-01-01T00:00:00.000Z' };
    assert.equal(hasEnded(settled), true);
    assert.equal(isSettling(settled), false);
  });
});

test('every send change is a valid touchpoint change', () => {
  const atStart: TouchpointStatus = 'scheduled';
  const seen = new Set<string>();
  const follow = (kind: SendKind, send: SendStatus, touchpoint: TouchpointStatus) => {
    if (seen.has(`${kind} ${send} ${touchpoint}`)) return;
    seen.add(`${kind} ${send} ${touchpoint}`);
    for (const to of sendTransitions[send]) {
      const next = touchpointStatusAfter({ kind, in_series: false }, send, to) ?? touchpoint;
      const isWay = next === touchpoint || isPossible(touchpointTransitions.email, touchpoint, next);
      assert.ok(isWay, `${send} > ${to} takes a touchpoint from ${touchpoint} to ${next}`);
      follow(kind, to, next);
    }
  };
  assert.equal(touchpointStatusAfter({ kind: 'campaign', in_series: false }, 'queued', 'queued'), atStart);
  follow('campaign', 'queued', atStart);
  assert.equal(seen.size, sendStatuses.length + 1, [...seen].join());
  follow('triggered', 'sending', 'active');
  for (const touchpoint of touchpointStatuses)
    for (const kind of ['test', 'follow_up'] as const) follow(kind, 'queued', touchpoint);
});

test('the status of touchpoints decides the campaign’s', () => {
  for (const [touchpoints, status] of [
    [[], 'draft'],
    [['draft', 'draft'], 'draft'],
    [['draft', 'scheduled'], 'scheduled'],
    [['sent', 'scheduled'], 'running'],
    [['draft', 'sending', 'paused'], 'running'],
    [['sent', 'paused'], 'paused'],
    [['sent', 'draft'], 'running'],
    [['sent', 'sent'], 'completed'],
    [['sent', 'archived'], 'completed'],
    [['draft', 'active'], 'running'],
    [['sent', 'active'], 'running'],
  ] as const) {
    const emails = touchpoints.map((of) => ({ type: 'email', status: of }) as const);
    assert.equal(campaignStatusFrom(emails), status, touchpoints.join());
    // Touchpoints that are switched on and off do not affect the status.
    const websites = touchpointStatuses.map((of) => ({ type: 'website', status: of }) as const);
    assert.equal(campaignStatusFrom([...emails, ...websites]), status);
  }
});

/**
 * Explores all transitions of a campaign with up to three emails: emails are added, sent, archived, reopened, unarchived
 * and deleted, and so is the campaign itself.
 */
test('campaign changes follow its state table', () => {
  interface World {
    campaign: CampaignStatus;
    emails: readonly TouchpointStatus[];
  }
  const inSend = ['scheduled', 'sending', 'active', 'paused'];
  const statusOf = (emails: World['emails']) =>
    campaignStatusFrom(emails.map((status) => ({ type: 'email', status })));
  const followed = new Set<string>();

  function follow(campaign: CampaignStatus, emails: readonly TouchpointStatus[]): World {
    const next = statusOf(emails);
    if (next === campaign || !campaignCan.followTouchpoints({ status: campaign }))
      return { campaign, emails };
    assert.ok(isPossible(campaignTransitions, campaign, next), `${campaign} > ${next} by ${emails.join()}`);
    followed.add(`${campaign}>${next}`);
    return { campaign: next, emails };
  }

  function* whatFollows({ campaign, emails }: World): Generator<World> {
    if (emails.length < 3) yield { campaign, emails: [...emails, 'draft'] };
    for (const [index, status] of emails.entries()) {
      const email = { type: 'email', status } as const;
      for (const to of touchpointTransitions.email[status])
        if (to !== 'archived' && status !== 'archived' && campaign !== 'archived')
          yield follow(campaign, emails.with(index, to));
      if (inSend.includes(status)) continue;
      const removed = [
        emails.toSpliced(index, 1),
        ...(touchpointCan.archive(email) ? [emails.with(index, 'archived')] : []),
      ];
      const followsRemoval = campaignCan.followRemoval({ status: campaign });
      for (const left of removed) yield followsRemoval ? follow(campaign, left) : { campaign, emails: left };
      if (!touchpointCan.reopen(email)) continue;
      yield { campaign, emails: emails.with(index, 'draft') };
      for (const back of ['draft', 'sent'] as const) {
        const emailsNow = emails.with(index, back);
        const isAwaited = campaignCan.followReturn({ status: campaign }, statusOf(emailsNow));
        yield isAwaited ? follow(campaign, emailsNow) : { campaign, emails: emailsNow };
      }
    }
    if (emails.some((status) => inSend.includes(status))) return;
    if (campaignCan.archive({ status: campaign })) yield { campaign: 'archived', emails };
    if (!campaignCan.reopen({ status: campaign })) return;
    yield { campaign: 'draft', emails };
    if (statusOf(emails) === 'completed') yield { campaign: 'completed', emails };
  }

  const seen = new Set<string>();
  const open: World[] = [{ campaign: 'draft', emails: [] }];
  for (let world = open.pop(); world !== undefined; world = open.pop()) {
    const name = JSON.stringify([world.campaign, world.emails]);
    if (seen.has(name)) continue;
    seen.add(name);
    open.push(...whatFollows(world));
  }
  assert.deepEqual(
    [...followed].sort(),
    listArrows(campaignStatuses, campaignTransitions).filter((arrow) => !arrow.includes('archived')),
  );
});

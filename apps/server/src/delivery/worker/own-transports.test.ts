import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Send } from '@reachout/contract/sends.ts';
import type { Transport } from '@reachout/contract/transports.ts';
import type { Behavior } from '../../testing/provider-servers.ts';
import { letQueuedBeDue } from '../../testing/send-fixture.ts';
import {
  addTransport,
  buildOwner,
  choose,
  getTransport,
  listRecipients,
  startSend,
  transportSecrets,
  transportsOf,
  useTransports,
  waitForSend,
  type TransportOwner,
} from '../../testing/transport-fixture.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { watchAccounts } from '../../testing/watch-accounts.ts';

suite('sends over transports of organizations', () => {
  const fixture = useTransports();
  const kinds = ['elastic_email', 'ses', 'smtp'] as const;

  const complete = (owner: TransportOwner, send: Send) =>
    waitForSend(fixture, owner, send, 'the send ends', ({ status }) => status === 'completed');
  /** Recipients of messages that stand-ins have taken, by transport. */
  const takenBy = ({ brandId }: TransportOwner) => {
    const { elastic, ses, smtp, installation } = fixture;
    const decode = (raw: string) => Buffer.from(raw, 'base64').toString('latin1');
    const ofBrand = (messages: readonly (readonly [recipient: string, raw: string])[]) =>
      messages.filter(([, raw]) => raw.includes(brandId)).map(([recipient]) => recipient);
    return {
      elastic_email: ofBrand(
        elastic.accepted.map((each) => [each.Recipients.To[0]!, JSON.stringify(each.Content.Headers)]),
      ),
      ses: ofBrand(
        ses.accepted.map((each) => [each.Destination!.ToAddresses![0]!, decode(each.Content.Raw.Data)]),
      ),
      smtp: ofBrand(smtp.taken.map(({ recipient, raw }) => [recipient, raw])),
      installation: ofBrand(installation.taken.map(({ recipient, raw }) => [recipient, raw])),
    };
  };
  const script = (kind: 'elastic_email' | 'ses', ...behaviors: Behavior[]) => {
    (kind === 'ses' ? fixture.ses : fixture.elastic).script = behaviors;
  };
  const times = (count: number, behavior: Behavior) => Array.from({ length: count }, () => behavior);

  for (const kind of kinds)
    test(`a send leaves by the ${kind} of its brand`, async () => {
      const owner = await buildOwner(fixture, 4);
      // The choice of the brand comes before that of the organization.
      await addTransport(fixture, owner, kind === 'smtp' ? 'ses' : 'smtp');
      const { name } = await addTransport(fixture, owner, kind, { of: 'brand' });
      const unknown = '550 5.1.1 No such user';
      if (kind === 'smtp')
        fixture.smtp.refuse = (to) =>
          to.startsWith('user2@') ? { code: 550, text: '5.1.1 No such user' } : undefined;
      else script(kind, { reject: unknown });
      const send = await startSend(owner);
      const watch = watchAccounts(fixture.app.owner, send.id);
      const ended = await complete(owner, send);
      await watch.stop();
      assert.deepEqual(
        [ended.recipients_total_sent_count, ended.recipients_total_delivery_failed_count],
        [3, 1],
      );
      const recipients = await listRecipients(owner, send);
      assert.deepEqual(
        recipients.map((each) => [each.transport, each.attempts]),
        times4([name, 1]),
      );
      const bounced = recipients.find(({ state }) => state === 'bounced');
      assert.match(bounced?.reply ?? '', /No such user/);
      const reference = { elastic_email: /^transaction-\d+$/, ses: /^ses-\d+$/, smtp: /queued|OK/i }[kind];
      for (const { state, reply } of recipients) if (state === 'sent') assert.match(reply ?? '', reference);
      assert.deepEqual(await transportsOf(owner, send), [name]);
      const { [kind]: taken, ...others } = takenBy(owner);
      assertOnce(taken, 3);
      assert.deepEqual(
        new Set(taken),
        new Set(recipients.filter(({ state }) => state === 'sent').map(({ address }) => address)),
      );
      assert.deepEqual(Object.values(others).flat(), []);
    });
  const times4 = <T>(value: T): T[] => [value, value, value, value];

  test('a provider that is busy costs no attempt', async () => {
    const begun = [];
    for (const kind of ['elastic_email', 'ses'] as const) {
      const owner = await buildOwner(fixture, 3);
      await addTransport(fixture, owner, kind);
      script(kind, 'busy', 'busy');
      begun.push({ owner, send: await startSend(owner) });
    }
    for (const { owner, send } of begun) {
      await complete(owner, send);
      assert.deepEqual(
        (await listRecipients(owner, send)).map(({ attempts }) => attempts),
        [1, 1, 1],
      );
    }
    assert.deepEqual([fixture.elastic.script, fixture.ses.script], [[], []]);
  });

  // What became of a request is unknown: an error after the body, or no response at all.
  const doubts = [
    ['elastic_email', 'retry', 'take_and_fail', { copies: 1, state: 'sent' }],
    ['elastic_email', 'hold', 'take_and_hang_up', { copies: 1, state: 'sent' }],
    ['elastic_email', 'retry', 'hang_up', { copies: 1, state: 'sent' }],
    ['elastic_email', 'hold', 'fail', { copies: 0, state: 'uncertain' }],
    ['ses', 'retry', 'take_and_hang_up', { copies: 2, state: 'sent' }],
    ['ses', 'hold', 'take_and_fail', { copies: 1, state: 'uncertain' }],
  ] as const;
  test('what is uncertain is looked up before it is repeated', async () => {
    for (const [kind, policy, behavior, expected] of doubts) {
      const owner = await buildOwner(fixture, 1);
      await addTransport(fixture, owner, kind);
      script(kind, behavior);
      fixture.elastic.requests.length = 0;
      const send = await startSend(owner, policy);
      const watch = watchAccounts(fixture.app.owner, send.id);
      await waitForSend(
        fixture,
        owner,
        send,
        'it is uncertain',
        (now) => now.recipients_uncertain_count === 1,
      );
      const [waiting] = await listRecipients(owner, send);
      const minutes = (Date.parse(waiting!.next_attempt_at!) - Date.now()) / 60_000;
      assert.equal(Math.round(minutes), kind === 'ses' ? 15 : 5);
      assert.equal(fixture.elastic.requests.filter((each) => each.includes('/channels/')).length, 0);
      await letQueuedBeDue(fixture.app.owner, send.id);
      const what = `${kind} ${policy} ${behavior}`;
      await waitForSend(fixture, owner, send, what, async ({ status }) => {
        const [recipient] = await listRecipients(owner, send);
        return expected.state === 'sent' ? status === 'completed' : recipient!.next_attempt_at === null;
      });
      await watch.stop();
      const [recipient] = await listRecipients(owner, send);
      assert.deepEqual([recipient!.state, recipient!.attempts], [expected.state, 2], what);
      assert.equal(takenBy(owner)[kind].length, expected.copies, what);
      if (kind === 'elastic_email')
        assert.equal(fixture.elastic.requests.filter((each) => each.includes('/channels/')).length, 1, what);
    }
  });

  test('a revoked key loses nothing, and a new one goes on', async () => {
    const owner = await buildOwner(fixture, 12);
    const transport = await addTransport(fixture, owner, 'elastic_email');
    script('elastic_email', ...times(3, 'accept'), ...times(100, 'key_revoked'));
    const send = await startSend(owner);
    const watch = watchAccounts(fixture.app.owner, send.id);
    await waitForSend(
      fixture,
      owner,
      send,
      'the send says so',
      ({ error }) => error?.code === 'mail_server_away',
    );
    await waitUntil('the transport says so', async () =>
      /APIKey Expired/.test((await getTransport(owner, transport)).error_content ?? ''),
    );
    assert.equal(takenBy(owner).elastic_email.length, 3);
    await owner.request('PUT', '~/elastic_email_key', { api_key: `${transportSecrets.elastic_email}-2` });
    assert.equal((await getTransport(owner, transport)).error_content, null);
    script('elastic_email');
    await complete(owner, send);
    await watch.stop();
    assertOnce(takenBy(owner).elastic_email, 12);
    const recipients = await listRecipients(owner, send);
    assert.deepEqual([...new Set(recipients.map(({ attempts }) => attempts))], [1]);
    await waitUntil(
      'the transport works',
      async () => (await getTransport(owner, transport)).error_content === null,
    );
  });
  const assertOnce = (recipients: readonly string[], count: number) => {
    assert.equal(recipients.length, count);
    assert.equal(new Set(recipients).size, count);
  };

  test('the rest of a send leaves by the next transport', async () => {
    const owner = await buildOwner(fixture, 12);
    await addTransport(fixture, owner, 'ses');
    const next = await addTransport(fixture, owner, 'smtp', { of: 'nobody' });
    script('ses', ...times(3, 'accept'), ...times(100, 'busy'));
    const send = await startSend(owner);
    const watch = watchAccounts(fixture.app.owner, send.id);
    await waitForSend(fixture, owner, send, 'SES is busy', ({ error }) => error?.code === 'mail_server_busy');
    await choose(owner, next);
    await complete(owner, send);
    await watch.stop();
    script('ses');
    const { ses, smtp, installation } = takenBy(owner);
    assert.deepEqual([ses.length, smtp.length, installation.length], [3, 9, 0]);
    assertOnce([...ses, ...smtp], 12);
    const named = new Map((await listRecipients(owner, send)).map((each) => [each.address, each.transport]));
    for (const address of ses) assert.equal(named.get(address), 'My ses');
    for (const address of smtp) assert.equal(named.get(address), 'My smtp');
    assert.deepEqual(await transportsOf(owner, send), ['My ses', 'My smtp']);
  });

  /** What the account of SES may send, as of a check. */
  const setQuota = (perDay: number, sent: number, perSecond = 1_000) => {
    fixture.ses.account.SendQuota = { Max24HourSend: perDay, SentLast24Hours: sent, MaxSendRate: perSecond };
  };
  const leftToday = async (owner: TransportOwner, transport: Transport) =>
    (await getTransport(owner, transport)).limits.left_today;

  test('no more leaves in a day than a provider takes', async () => {
    const owner = await buildOwner(fixture, 8);
    setQuota(10, 5);
    const transport = await addTransport(fixture, owner, 'ses');
    assert.equal(await leftToday(owner, transport), 5);
    const send = await startSend(owner);
    const { error_content } = await waitForSend(
      fixture,
      owner,
      send,
      'the quota is used up',
      ({ error }) => error?.code === 'day_of_transport',
    );
    assert.match(error_content ?? '', /My ses takes no more than 10 messages/);
    assert.deepEqual([takenBy(owner).ses.length, await leftToday(owner, transport)], [5, 0]);
    // A day later. A worker reads the limits of what it opens, and then asks for messages each minute.
    setQuota(10, 4);
    await fixture.restartWorker();
    await letQueuedBeDue(fixture.app.owner, send.id);
    await waitUntil('the limits are read', async () => {
      await fixture.wake();
      return takenBy(owner).ses.length === 8 || (await leftToday(owner, transport)) === 6;
    });
    await fixture.restartWorker();
    await letQueuedBeDue(fixture.app.owner, send.id);
    await complete(owner, send);
    assertOnce(takenBy(owner).ses, 8);
  });

  test('no more leaves in a second than a provider takes', async () => {
    const owner = await buildOwner(fixture, 4);
    setQuota(50_000, 0, 2);
    await addTransport(fixture, owner, 'ses');
    const send = await startSend(owner);
    await waitUntil('the first has left', async () => {
      await fixture.wake();
      return takenBy(owner).ses.length > 0;
    });
    const firstAt = performance.now();
    await complete(owner, send);
    // Two leave at once at most, and the next two a second later.
    assert.ok(performance.now() - firstAt > 800);
    assertOnce(takenBy(owner).ses, 4);
  });
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Send } from '@reachout/contract/sends.ts';
import type { Transport } from '@reachout/contract/transports.ts';
import type { StoredRequest } from '../../email/inbound/provider-event.ts';
import { execute, valuesOf } from '../../platform/database/database.ts';
import {
  classicWebhook,
  signedWebhook,
  snsMessage,
  snsRequest,
  type Behavior,
} from '../../testing/provider-servers.ts';
import { listRows } from '../../testing/rows.ts';
import {
  addTransport,
  buildOwner,
  listRecipients,
  startSend,
  useTransports,
  waitForSend,
  type TransportOwner,
} from '../../testing/transport-fixture.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { assertBalanced } from '../../testing/watch-accounts.ts';
import { countAccounts } from '../../testing/send-accounts.ts';

const signingSecret = 'whsec_canary-4c1d';

/** A message that its provider has. */
interface Sent {
  owner: TransportOwner;
  transport: Transport;
  send: Send;
  /** By the number of the message. */
  token: (seq: number) => Promise<string>;
}

suite('what providers of transports report', () => {
  const fixture = useTransports();

  /** Starts a send to `count` contacts. */
  async function begin(
    kind: 'elastic_email' | 'ses',
    count: number,
    { script = [], isSigned = true }: { script?: Behavior[]; isSigned?: boolean } = {},
  ): Promise<Sent> {
    const owner = await buildOwner(fixture, count);
    const more = kind === 'elastic_email' && isSigned ? { webhook_secret: signingSecret } : {};
    const transport = await addTransport(fixture, owner, kind, more);
    (kind === 'ses' ? fixture.ses : fixture.elastic).script = script;
    const send = await startSend(owner);
    const tokenOf = (number: string, seq: number) =>
      fixture.app.services.signer.sign({ sendNumber: Number(number), seq }).return_path;
    const token = async (seq: number) => {
      const [number] = await valuesOf<string>(fixture.app.owner)`
        select send_number::text from touchpoint_sends where id = ${send.id}`;
      return tokenOf(number!, seq);
    };
    return { owner, transport, send, token };
  }
  const waitFor = ({ owner, send }: Sent, what: string, isSo: (send: Send) => boolean) =>
    waitForSend(fixture, owner, send, what, isSo);
  const isCompleted = ({ status }: Send) => status === 'completed';
  async function sent(...of: Parameters<typeof begin>): Promise<Sent> {
    const begun = await begin(...of);
    await waitFor(begun, 'it is sent', isCompleted);
    return begun;
  }

  const post = async ({ transport: { events_url } }: Pick<Sent, 'transport'>, request: StoredRequest) => {
    const { pathname } = new URL(events_url!);
    const { method, headers, query, body } = request;
    const { statusCode } = await fixture.app.app.inject({
      method: method as 'POST',
      url: query === '' ? pathname : `${pathname}?${query}`,
      headers: method === 'GET' ? headers : { 'content-type': 'application/json', ...headers },
      ...(method === 'GET' ? {} : { payload: body }),
    });
    return statusCode;
  };
  const report = async (about: Sent, seq: number, status: string, more: Record<string, string> = {}) =>
    post(about, signedWebhook({ status, postback: await about.token(seq), ...more }, signingSecret));
  const bounce = (about: Sent, seq: number) => report(about, seq, 'Error', { category: 'NoMailbox' });

  const waiting = ({ id }: Transport) =>
    listRows(fixture.app.owner, 'returned_mail', ['attempts'], { mailbox: `p.${id}` });
  const allRead = ({ transport }: Sent) =>
    waitUntil('all is read', async () => (await waiting(transport)).length === 0);
  const readAgain = () => execute(fixture.app.owner)`update returned_mail set due_at = now()`;
  const triedOnce = ({ transport }: Sent, count: number) =>
    waitUntil('it was read', async () => {
      const found = await waiting(transport);
      return found.length === count && found.every(({ attempts }) => attempts > 0);
    });
  /** States by number of the message, and what was stored about the recipients. */
  const read = async ({ owner, send }: Sent) => {
    assertBalanced(await countAccounts(fixture.app.owner, send.id));
    const recipients = await listRecipients(owner, send);
    const choices = await listRows(fixture.app.owner, 'choices', ['kind', 'value', 'address_key'], {
      organization_id: owner.organizationId,
    });
    return {
      states: recipients.toSorted((a, b) => a.seq! - b.seq!).map(({ state }) => state),
      events: await valuesOf<string>(fixture.app.owner)`
        select type || ' ' || seq from events where send_id = ${send.id} order by 1`,
      choices: choices.map(({ kind, value, address_key }) => `${kind} ${value} ${address_key}`).toSorted(),
    };
  };

  test('signed reports change their messages once', async () => {
    const about = await sent('elastic_email', 4);
    const post3 = async () => {
      assert.equal(await bounce(about, 1), 200);
      assert.equal(await report(about, 2, 'AbuseReport'), 200);
      assert.equal(await report(about, 3, 'Unsubscribed'), 200);
      assert.equal(await report(about, 4, 'Opened'), 200);
      await allRead(about);
      return await read(about);
    };
    const first = await post3();
    const addresses = (await listRecipients(about.owner, about.send))
      .toSorted((a, b) => a.seq! - b.seq!)
      .map(({ address }) => address);
    assert.deepEqual(first.states, ['bounced', 'sent', 'sent', 'sent']);
    assert.deepEqual(first.events, ['BOUNCE 1', 'COMPLAINT 2', 'UNSUBSCRIBE 3']);
    assert.partialDeepStrictEqual(first.choices, [
      `suppression bounce ${addresses[0]}`,
      `suppression complaint ${addresses[1]}`,
    ]);
    assert.deepEqual(await post3(), first);
  });

  test('reports of a day ago still count', async () => {
    const about = await sent('elastic_email', 2);
    // Not the counts, which are of quarters of an hour.
    await execute(fixture.app.owner)`
      update touchpoint_sends set send_date = send_date - interval '1 day', end_date = end_date - interval '1 day'
      where id = ${about.send.id}`;
    await bounce(about, 1);
    await allRead(about);
    assert.deepEqual((await read(about)).states, ['bounced', 'sent']);
  });

  test('forged reports change nothing', async () => {
    const [about, other] = [await sent('elastic_email', 2), await sent('elastic_email', 2)];
    const before = [await read(about), await read(other)];
    const fields = { status: 'Error', category: 'NoMailbox', postback: await about.token(1) };
    const address = new URL(about.transport.events_url!).pathname;
    for (const changed of [
      `${address.slice(0, -1)}${address.endsWith('A') ? 'B' : 'A'}`,
      address.replace(about.transport.id, other.transport.id),
      address.replace(about.owner.organizationId, other.owner.organizationId),
      '/hooks/transports/x',
    ]) {
      const transport = { ...about.transport, events_url: `https://reachout.example${changed}` };
      assert.equal(await post({ transport }, signedWebhook(fields, signingSecret)), 404, changed);
    }
    await post(about, signedWebhook(fields, 'whsec_of-nobody'));
    // Recorded yesterday, and repeated.
    await post(about, signedWebhook(fields, signingSecret, { sentAt: new Date(Date.now() - 86_400_000) }));
    // Without a signature, the log of the account has to say the same.
    await post(about, classicWebhook({ ...fields, transaction: 'transaction-1' }));
    const otherToken = `${(await about.token(1)).slice(0, -3)}aaa`;
    await post(about, signedWebhook({ ...fields, postback: otherToken }, signingSecret));
    // Genuine, but about a message of another organization.
    await post(other, signedWebhook(fields, signingSecret));
    await allRead(about);
    await allRead(other);
    assert.deepEqual([await read(about), await read(other)], before);
  });

  test('unsigned reports are looked up in the log of the account', async () => {
    const about = await sent('elastic_email', 2, { isSigned: false });
    const [first, second] = fixture.elastic.log.slice(-2);
    first!.EventType = 'Bounce';
    first!.MessageCategory = 'NoMailbox';
    const recipients = await listRecipients(about.owner, about.send);
    const seqOf = (to: string) => recipients.find(({ address }) => address === to)!.seq!;
    for (const { To: to, TransactionID: transaction } of [first!, second!]) {
      const fields = { status: 'Error', to, transaction, postback: await about.token(seqOf(to)) };
      assert.equal(await post(about, classicWebhook(fields)), 200);
    }
    await allRead(about);
    const { states } = await read(about);
    assert.equal(states[seqOf(first!.To) - 1], 'bounced');
    assert.equal(states[seqOf(second!.To) - 1], 'sent');
  });

  test('reports that come before the result of their message wait for it', async () => {
    const { promise: held, resolve: respond } = Promise.withResolvers<void>();
    const about = await begin('elastic_email', 2, { script: [{ held }, { held }] });
    await waitUntil('the provider has both', async () => {
      await fixture.wake();
      return fixture.elastic.open === 2;
    });
    await report(about, 1, 'AbuseReport');
    await bounce(about, 2);
    await triedOnce(about, 2);
    assert.deepEqual((await read(about)).states, ['sending', 'sending']);
    respond();
    await waitFor(about, 'it is sent', isCompleted);
    await readAgain();
    await allRead(about);
    const { states, events } = await read(about);
    assert.deepEqual(
      [states, events],
      [
        ['sent', 'bounced'],
        ['BOUNCE 2', 'COMPLAINT 1'],
      ],
    );
  });

  for (const kind of ['elastic_email', 'ses'] as const)
    test(`an uncertain message that ${kind} reports is not repeated`, async () => {
      const { promise: held, resolve: respond } = Promise.withResolvers<void>();
      const about = await begin(kind, 2, { script: ['take_and_fail', { held, isFailure: true }] });
      const accepted = async (seq: number) => {
        if (kind === 'elastic_email') return await report(about, seq, 'Sent');
        const tags = { reachout: [await about.token(seq)] };
        const event = { eventType: 'Delivery', mail: { messageId: 'ses-1', tags } };
        return await post(
          about,
          snsRequest(snsMessage(fixture.ses.origin, { Message: JSON.stringify(event) })),
        );
      };
      const server = kind === 'ses' ? fixture.ses : fixture.elastic;
      await waitFor(
        about,
        'one is uncertain, and of the other one there is no response yet',
        (now) => now.recipients_uncertain_count === 1 && server.open === 1,
      );
      const copies = server.accepted.length;
      for (const seq of [1, 2]) assert.equal(await accepted(seq), 200);
      await waitFor(about, 'one is sent', (now) => now.recipients_total_sent_count === 1);
      await triedOnce(about, 1);
      respond();
      await waitFor(about, 'the other one is uncertain', (now) => now.recipients_uncertain_count === 1);
      await readAgain();
      await waitFor(about, 'it is sent', isCompleted);
      await allRead(about);
      assert.deepEqual((await read(about)).states, ['sent', 'sent']);
      assert.equal(server.accepted.length, copies);
    });

  test('a provider that does not answer delays no other reports', async (t) => {
    const [slow, quick] = [
      await sent('elastic_email', 10, { isSigned: false }),
      await sent('elastic_email', 2),
    ];
    const { promise, resolve } = Promise.withResolvers<void>();
    t.after(() => {
      delete fixture.elastic.held;
      resolve();
    });
    fixture.elastic.held = promise;
    for (let seq = 1; seq <= 10; seq += 1) {
      const fields = { status: 'Error', transaction: `transaction-${seq}`, postback: await slow.token(seq) };
      await post(slow, classicWebhook(fields));
    }
    const requests = fixture.elastic.requests.length;
    await waitUntil('it is asked', () => fixture.elastic.requests.length > requests);
    await bounce(quick, 1);
    await allRead(quick);
    assert.equal((await waiting(slow.transport)).length, 10);
    // The others of the slow one were not tried one after the other.
    assert.ok(fixture.elastic.requests.length <= requests + 2);
  });

  test('what waits is bounded for each transport', async () => {
    const [full, other] = [await sent('elastic_email', 1), await sent('elastic_email', 1)];
    const large = { ...signedWebhook({}, signingSecret), body: 'x'.repeat(60_000) };
    assert.equal(await post(full, large), 413);
    await execute(fixture.app.owner)`
      insert into returned_mail (id, mailbox, raw, received_at, due_at)
      select gen_random_uuid(), ${`p.${full.transport.id}`}, '', now(), now() + interval '1 hour'
      from generate_series(1, 2000)`;
    assert.equal(await bounce(full, 1), 503);
    assert.equal(await bounce(other, 1), 200);
    await execute(fixture.app.owner)`delete from returned_mail where mailbox = ${`p.${full.transport.id}`}`;
    assert.equal(await bounce(full, 1), 200);
    await allRead(full);
    await allRead(other);
  });
});

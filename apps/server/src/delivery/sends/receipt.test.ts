import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { sql } from 'kysely';
import type { Send, SendReceipt } from '@reachout/contract/sends.ts';
import { signInGuest } from '../../testing/actors.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { buildReadyEmail, type ReadyEmail } from '../../testing/ready-email.ts';
import { insertRows } from '../../testing/rows.ts';

suite('receipts of sends', () => {
  const app = useSharedApp();

  const read = async ({ id }: Send, as: Person) => {
    const { status, body } = await app.request<SendReceipt>('GET', `/api/sends/${id}/receipt`, { as });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };

  const deliver = async (
    { organizationId: organization_id }: ReadyEmail,
    send_id: string,
    ...states: string[]
  ) => {
    const at = new Date().toISOString();
    const names = ['ada', 'ben', 'cleo'].slice(0, states.length);
    await insertRows(
      app.owner,
      'deliveries',
      names.map((name, index) => ({
        organization_id,
        send_id,
        seq: index + 1,
        contact_id: name,
        address: `${name}@sink.example`,
        variables: JSON.stringify({ first_name: name }),
      })),
    );
    await insertRows(
      app.owner,
      'delivery_results',
      states.map((state, index) => ({ organization_id, send_id, seq: index + 1, state, attempts: 1, at })),
    );
  };

  test('a receipt keeps the content as it was confirmed', async () => {
    const email = await buildReadyEmail(app);
    const { body: send } = await app.request<Send>('POST', `/api/touchpoints/${email.touchpointId}/sends`, {
      as: email.person,
    });
    const { full_name } = (await app.request<{ full_name: string }>('GET', '/api/me', { as: email.person }))
      .body;
    const confirmed = await read(send, email.person);
    assert.deepEqual(
      [confirmed.started_by, confirmed.from, confirmed.reply_to, confirmed.subject, confirmed.shown],
      [
        full_name,
        { name: 'Nordwind', email: 'news@nordwind.example' },
        null,
        'News for {{ contact.first_name }}',
        null,
      ],
    );

    await deliver(email, send.id, 'sent');
    for (const table of ['touchpoint_emails', 'brands'] as const)
      await app.owner
        .updateTable(table)
        .set(table === 'brands' ? { name: 'Südwind' } : { subject: 'Changed', from_email: 'x@y.example' })
        .where('organization_id', '=', email.organizationId)
        .execute();
    const { shown, ...rest } = await read(send, email.person);
    assert.deepEqual({ ...rest, shown: null }, confirmed);
    assert.deepEqual([shown?.to, shown?.subject], ['ada@sink.example', 'News for ada']);
    assert.match(shown?.html ?? '', /about:blank#unsubscribe/);
    for (const part of [shown?.html, shown?.text]) assert.doesNotMatch(part ?? '{{', /\{\{|\/t\/[oc]\//);
  });

  test('a receipt shows a message that was delivered', async () => {
    const email = await buildReadyEmail(app);
    const start = async () =>
      (await app.request<Send>('POST', `/api/touchpoints/${email.touchpointId}/sends`, { as: email.person }))
        .body;
    const send = await start();
    await deliver(email, send.id, 'bounced', 'suppressed', 'sent');
    assert.equal((await read(send, email.person)).shown?.to, 'cleo@sink.example');
    await sql`update delivery_results set state = 'bounced' where send_id = ${send.id}`.execute(app.owner);
    assert.equal((await read(send, email.person)).shown, null);
  });

  test('a receipt shows no single message', async () => {
    const email = await buildReadyEmail(app);
    const { body: send } = await app.request<Send>('POST', `/api/touchpoints/${email.touchpointId}/sends`, {
      body: { kind: 'triggered' },
      as: email.person,
    });
    await deliver(email, send.id, 'sent');
    const { shown, subject } = await read(send, email.person);
    assert.deepEqual([shown, subject], [null, 'News for {{ contact.first_name }}']);
  });

  test('a receipt hides contacts from guests', async () => {
    const email = await buildReadyEmail(app);
    const { body: send } = await app.request<Send>('POST', `/api/touchpoints/${email.touchpointId}/sends`, {
      as: email.person,
    });
    await deliver(email, send.id, 'sent');
    const { rows } = await sql<{ id: string }>`
      select client_id as id from brands where id = ${email.brandId}`.execute(app.owner);
    const guest = await signInGuest(app, email.organizationId, [rows[0]!.id]);
    const { shown, subject } = await read(send, guest);
    assert.deepEqual([shown, subject], [null, 'News for {{ contact.first_name }}']);
  });
});

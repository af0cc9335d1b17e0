import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import type { Send, SendReceipt } from '@reachout/contract/sends.ts';
import { signInGuest } from '../../testing/actors.ts';
import { createTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { buildReadyEmail } from '../../testing/ready-email.ts';

suite('the receipt of a send', () => {
  let app: TestApp;
  before(async () => {
    app = await createTestApp();
  });
  after(() => app.close());

  const read = async ({ id }: Send, as: Person) => {
    const { status, body } = await app.request<SendReceipt>('GET', `/api/sends/${id}/receipt`, { as });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };

  test('has what was confirmed and by whom, whatever changes later', async () => {
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

    await sql`
      insert into deliveries (organization_id, send_id, seq, contact_id, address, variables)
      values (${email.organizationId}, ${send.id}, 1, 'c1', 'ada@sink.example', '{"first_name": "Ada"}')
    `.execute(app.owner);
    for (const table of ['touchpoint_emails', 'brands'] as const)
      await app.owner
        .updateTable(table)
        .set(table === 'brands' ? { name: 'Südwind' } : { subject: 'Changed', from_email: 'x@y.example' })
        .where('organization_id', '=', email.organizationId)
        .execute();
    const { shown, ...rest } = await read(send, email.person);
    assert.deepEqual({ ...rest, shown: null }, confirmed);
    assert.deepEqual([shown?.to, shown?.subject], ['ada@sink.example', 'News for Ada']);
    assert.match(shown?.html ?? '', /about:blank#unsubscribe/);
    for (const part of [shown?.html, shown?.text]) assert.doesNotMatch(part ?? '{{', /\{\{|\/t\/[oc]\//);
  });

  test('keeps the message of a contact from those who may not read contacts', async () => {
    const email = await buildReadyEmail(app);
    const { body: send } = await app.request<Send>('POST', `/api/touchpoints/${email.touchpointId}/sends`, {
      as: email.person,
    });
    await sql`
      insert into deliveries (organization_id, send_id, seq, contact_id, address, variables)
      values (${email.organizationId}, ${send.id}, 1, 'c1', 'ada@sink.example', '{"first_name": "Ada"}')
    `.execute(app.owner);
    const { rows } = await sql<{ id: string }>`
      select client_id as id from brands where id = ${email.brandId}`.execute(app.owner);
    const guest = await signInGuest(app, email.organizationId, [rows[0]!.id]);
    const { shown, subject } = await read(send, guest);
    assert.deepEqual([shown, subject], [null, 'News for {{ contact.first_name }}']);
  });
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { execute, rowsOf, type Row } from '../../platform/database/database.ts';
import type { Send, SendReceipt } from '@reachout/contract/sends.ts';
import { signInGuest } from '../../testing/actors.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { buildReadyEmail, type ReadyEmail } from '../../testing/ready-email.ts';
import { insertRows } from '../../sample/rows.ts';
import { updateRows } from '../../testing/rows.ts';
import { fixtureMjml } from '../../testing/send-fixture.ts';

suite('receipts of sends', () => {
  const app = useSharedApp();

  const read = async ({ id }: Send, as: Person) =>
    await as.ok<SendReceipt>('GET', `/api/sends/${id}/receipt`);

  const deliver = async (
    { organizationId: organization_id }: ReadyEmail,
    send_id: string,
    ...states: Row<'delivery_results'>['state'][]
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

  test('a receipt shows what was confirmed, whatever changes later', async () => {
    const email = await buildReadyEmail(app);
    const send = await email.person.ok<Send>('POST', `/api/touchpoints/${email.touchpointId}/sends`);
    const { full_name } = await email.person.ok<{ full_name: string }>('GET', '/api/me');
    const confirmed = await read(send, email.person);
    const { shown: before, ...facts } = confirmed;
    assert.deepEqual(facts, {
      confirmed_at: send.created_at,
      started_by: full_name,
      audience: 'Everybody',
      recipients_confirmed: 3,
      from: { name: 'Nordwind', email: 'news@nordwind.example' },
      reply_to: null,
      subject: 'News for {{ contact.first_name }}',
      contact_fields: ['first_name', 'last_name'],
      topic: null,
      transports: [],
    });
    // Nothing is sent yet: the first recipient of the confirmed audience is shown.
    assert.deepEqual(
      [before?.to, before?.is_sent, before?.subject],
      ['user1@sink.example', false, 'News for Person 1'],
    );
    assert.match(before?.html ?? '', /Person 1/);

    // Everything that it was made of changes.
    for (const table of ['touchpoint_emails', 'brands'] as const)
      await app.owner
        .updateTable(table)
        .set(
          table === 'brands'
            ? { name: 'Südwind' }
            : {
                subject: 'Changed',
                from_email: 'x@y.example',
                mjml: fixtureMjml.replace('<mj-text>', '<mj-text>Rewritten '),
              },
        )
        .where('organization_id', '=', email.organizationId)
        .execute();
    const change = async (path: string, body: object) => {
      await email.person.ok('PATCH', `/api/${path}`, body);
    };
    await change(`filters/${email.filterId}`, { name: 'Nobody', rule: { country: { _eq: 'AT' } } });
    assert.deepEqual(await read(send, email.person), confirmed);
    const preview = `/api/touchpoints/emails/preview/${email.touchpointId}`;
    assertProblem(await email.person.request('POST', preview, {}), 409, 'touchpoint_locked');

    await deliver(email, send.id, 'sent');
    const { shown, ...rest } = await read(send, email.person);
    assert.deepEqual(rest, facts);
    assert.deepEqual([shown?.to, shown?.is_sent, shown?.subject], ['ada@sink.example', true, 'News for ada']);
    assert.match(shown?.html ?? '', /about:blank#unsubscribe/);
    for (const part of [shown?.html, shown?.text]) assert.doesNotMatch(part ?? '{{', /\{\{|\/t\/[oc]\//);
  });

  test('a receipt shows a message that was delivered', async () => {
    const email = await buildReadyEmail(app);
    const start = async () =>
      await email.person.ok<Send>('POST', `/api/touchpoints/${email.touchpointId}/sends`);
    const send = await start();
    await deliver(email, send.id, 'bounced', 'suppressed', 'sent');
    assert.equal((await read(send, email.person)).shown?.to, 'cleo@sink.example');
    await execute(app.owner)`update delivery_results set state = 'bounced' where send_id = ${send.id}`;
    // All have a result, and the send may end at any moment.
    await updateRows(app.owner, 'touchpoint_sends', { id: send.id }, { recipients_total_count: 3 });
    const { shown } = await read(send, email.person);
    assert.deepEqual([shown?.to, shown?.is_sent], [null, false]);
  });

  test('a receipt shows no single message', async () => {
    const email = await buildReadyEmail(app);
    const send = await email.person.ok<Send>('POST', `/api/touchpoints/${email.touchpointId}/sends`, {
      kind: 'triggered',
    });
    await deliver(email, send.id, 'sent');
    const { shown, subject, audience } = await read(send, email.person);
    assert.deepEqual([shown?.to, subject, audience], [null, 'News for {{ contact.first_name }}', null]);
    assert.doesNotMatch(JSON.stringify(shown), /ada/);
  });

  test('a receipt hides contacts from guests', async () => {
    const email = await buildReadyEmail(app);
    const send = await email.person.ok<Send>('POST', `/api/touchpoints/${email.touchpointId}/sends`);
    await deliver(email, send.id, 'sent');
    const rows = await rowsOf<{ id: string }>(app.owner)`
      select client_id as id from brands where id = ${email.brandId}`;
    const guest = await signInGuest(app, email.organizationId, [rows[0]!.id]);
    const { shown, subject } = await read(send, guest);
    assert.deepEqual([shown?.to, subject], [null, 'News for {{ contact.first_name }}']);
    assert.doesNotMatch(JSON.stringify(shown), /ada/);
  });
});

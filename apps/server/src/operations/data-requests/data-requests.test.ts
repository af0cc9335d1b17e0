import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, suite, test } from 'node:test';
import { sql } from 'kysely';
import type { Item } from '@reachout/contract/content.ts';
import type { DataRequest } from '@reachout/contract/data-requests.ts';
import { handleImports } from '../../contacts/imports/import-jobs.ts';
import { handleHints } from '../../events/erase-hints.ts';
import { eraseVisitorOfContact } from '../../insight/conversions/erase-conversions.ts';
import type { AccountEmailJob } from '../../identity/account-email/account-email.ts';
import { deleteConfirmationEmails } from '../../identity/account-email/account-email.queries.ts';
import { execute, hasRows, rowsOf, inOrganization, transactionAs } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { foldAll } from '../../testing/fold.ts';
import { signInGuest } from '../../testing/actors.ts';
import { useTestApp } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { buildSend } from '../../sample/records.ts';
import { findMarker } from '../../testing/find-marker.ts';
import { runJobs, startJobWorker } from '../../testing/job-worker.ts';
import { openRemoteContacts } from '../../testing/remote-contacts.ts';
import { getRow, listRows, updateRows } from '../../testing/rows.ts';
import { buildSentEmail, storeResults, type SentEmail } from '../../testing/sent-email.ts';
import { buildDueSend } from '../../testing/send-fixture.ts';
import { startSmtpSink } from '../../testing/smtp-sink.ts';
import { useOpened } from '../../testing/use-made.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { startWorkerProcess } from '../../testing/worker-process.ts';
import { newWorld, useWorld } from '../../testing/world.ts';
import { assertColumn } from '../../testing/assert-column.ts';
import { suppressErased } from '../../contacts/consent/erased-addresses.ts';
import { composeDataRequestConfirmation } from './confirmation-email.ts';
import type { PersonCopy } from './copy-person.ts';
import { eraseCopies, insertRecords, lockRequest } from './data-requests.queries.ts';
import { erasePerson } from './erase-person.ts';
import { expireDataRequests, handleDataRequests } from './data-request-jobs.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const at = '2026-11-18T09:00:00Z';

suite('requests of persons about their own data', () => {
  const app = useTestApp({ privateHosts: ['127.0.0.1'] });
  let { owner, organizationId, base, emailId: touchpointId, websiteId, insert } = useWorld(app);

  const add = async (data: Item): Promise<string> =>
    (await owner.ok<{ data: Item }>('POST', `${base}/items/contacts`, data)).data['id'] as string;
  const inject = (method: 'GET' | 'POST', url: string, payload?: string) =>
    app.app.inject({ method, url, headers: form, ...(payload === undefined ? {} : { payload }) });
  const tokenOf = ({ sendNumber }: SentEmail, seq = 1) =>
    app.services.signer.sign({ sendNumber, seq }).unsubscribe;
  const ask = (sent: SentEmail, kind: 'copy' | 'erasure', seq = 1) =>
    inject('POST', `/p/${tokenOf(sent, seq)}/data`, `kind=${kind}`);
  /** @returns the path of the link in the newest email to this address */
  const linkTo = async (recipient: string): Promise<string> => {
    const job = await app.owner
      .selectFrom('account_email_outbox')
      .select(['id', 'kind', 'recipient', 'language', 'payload'])
      .where(sql`lower(recipient)`, '=', recipient.toLowerCase())
      .orderBy('id', 'desc')
      .limit(1)
      .$castTo<AccountEmailJob>()
      .executeTakeFirstOrThrow();
    const { authDb: db, secrets, config } = app.services;
    const content = await composeDataRequestConfirmation({ db, secrets, publicUrl: config.publicUrl }, job);
    const url = content?.button?.url ?? '';
    assert.ok(url.startsWith(`${config.publicUrl}/d/`));
    assert.equal(content?.sender, 'Nordwind brand');
    return url.slice(config.publicUrl.length);
  };
  const handler = () =>
    handleDataRequests({
      ...app.services,
      eraseEmails: (organization, address) =>
        transactionAs(app.services.authDb, {}, (trx) => deleteConfirmationEmails(trx, organization, address)),
    });
  const work = () => runJobs(app, app.owner, [handler()]);
  const list = async (as = owner) =>
    await as.ok<{ items: DataRequest[]; count: number; waiting_count: number }>(
      'GET',
      `/api/data_requests?organization_id=${organizationId}`,
    );
  const requestsOf = (address_key: string) =>
    listRows(app.owner, 'data_requests', ['state', 'kind'], { organization_id: organizationId, address_key });
  const confirm = async (sent: SentEmail, kind: 'copy' | 'erasure', address: string): Promise<string> => {
    assert.equal((await ask(sent, kind)).statusCode, 200);
    const link = await linkTo(address);
    assert.equal((await inject('POST', link, '')).statusCode, 200);
    return link;
  };
  const sendTo = (addresses: string[], variables = {}) =>
    buildSentEmail(app.owner, { organizationId, touchpointId, addresses, variables });

  /** Stores something about a person in every place that can have it. */
  async function storePerson(marker: string): Promise<{ sent: SentEmail; address: string; key: string }> {
    const address = `${marker}@person.example`;
    const key = await add({ email: address, first_name: `Name-${marker}`, last_name: `Last-${marker}` });
    await owner.ok('POST', `${base}/notes/contacts/${key}`, { text: `Note-${marker}` });
    // As it was entered; the other recipient is somebody else.
    const sent = await sendTo(
      [address.replace(/^./, (first) => first.toUpperCase()), `other-${marker}@else.example`],
      {
        first_name: `Name-${marker}`,
      },
    );
    const of = { organization_id: organizationId, send_id: sent.sendId };
    await updateRows(app.owner, 'deliveries', { ...of, seq: 1 }, { contact_id: key });
    await updateRows(app.owner, 'deliveries', { ...of, seq: 2 }, { variables: '{"first_name":"Somebody"}' });
    await storeResults(app.owner, sent, ['bounced', 'sent'], () => at);
    await updateRows(app.owner, 'delivery_results', { ...of, seq: 1 }, { reply: `550 no ${address}` });
    const { click } = app.services.signer.sign({ sendNumber: sent.sendNumber, seq: 1 });
    await app.app.inject({
      method: 'GET',
      url: `/t/c/${click}.0`,
      remoteAddress: '8.8.8.8',
      headers: { 'user-agent': `Mozilla/5.0 Firefox/140.0 Agent-${marker}` },
    });
    const excluded = await buildSend(app.owner, { touchpoint_id: touchpointId, status: 'completed' });
    await insert('delivery_exclusions', {
      send_id: excluded.id,
      seq: 1,
      contact_id: key,
      address,
      reason: 'suppressed',
    });
    const single = await sendTo([address]);
    await updateRows(app.owner, 'deliveries', { send_id: single.sendId }, { contact_id: address });
    await insert('messages', {
      id: newId(),
      send_id: single.sendId,
      seq: 1,
      contact_id: address,
    });
    await insert('mailbox_messages', {
      id: newId(),
      send_id: sent.sendId,
      seq: 1,
      recipient: address,
      sender: 'news@nordwind.example',
      subject: `Hello Name-${marker}`,
      raw: Buffer.from(`To: ${address}\r\n\r\nHello Name-${marker}`),
      received_at: at,
    });
    const choice = { address_key: address };
    const topic_id = newId();
    await insert('topics', {
      id: topic_id,
      name: `Topic ${newId()}`,
      is_default: true,
      position: 1,
    });
    const source = 'preferences';
    await insert('choices', { kind: 'topic', ...choice, source, topic_id, value: 'not_subscribed' });
    await insert('choices', { kind: 'pause', value: 'paused', ...choice, source, until: at });
    await insert('choices', { kind: 'tracking', ...choice, source, value: 'refused' });
    const signUpForm = { form_id: newId(), version: 1 };
    await insert('sign_up_forms', {
      id: signUpForm.form_id,
      collection: 'contacts',
      name: 'Footer',
      is_active: true,
    });
    await insert('sign_up_form_versions', {
      ...signUpForm,
      form_name: 'Footer',
      fields: '[]',
      topic_ids: [],
      asks_tracking: false,
      language: 'en',
      title: 'Letters',
      consent_text: 'I want letters.',
    });
    await insert('sign_ups', {
      ...signUpForm,
      id: newId(),
      collection: 'contacts',
      address,
      address_key: address,
      field_values: JSON.stringify({ first_name: `Name-${marker}` }),
      topics: '[]',
    });
    await insert('account_email_outbox', {
      id: newId(),
      kind: 'confirm_subscription',
      recipient: address,
      language: 'en',
      payload: JSON.stringify({ organization_id: organizationId }),
      expires_at: at,
    });
    await insert('choices', {
      kind: 'suppression',
      ...choice,
      id: newId(),
      value: 'bounce',
      note: `By ${address}`,
    });
    await insert('resubscriptions', {
      ...choice,
      id: newId(),
      reason: 'unsubscribe',
      basis: `Wrote from ${address}`,
    });
    await insert('content_import_rejections', {
      import_id: newId(),
      line: 2,
      record: JSON.stringify([address, `Name-${marker}`]),
      error: JSON.stringify({ code: 'invalid' }),
      kind: 'rejected',
      end_byte: 10,
    });
    const reaction = {
      touchpoint_event_id: newId(),
      listener_id: newId(),
      action: 'send_email' as const,
      cause_type: 'TRACK',
      cause_at: at,
      cause_detail: `Form-${marker}`,
      due_at: at,
    };
    await insert(
      'reactions',
      { ...reaction, id: newId(), collection: 'contacts', contact_id: key },
      { ...reaction, id: newId(), collection: '', contact_id: address },
    );
    const reading_id = newId();
    await insert('audience_readings', {
      id: reading_id,
      endpoint: 'https://directus.example',
      collection: 'contacts',
      rule: '{}',
      fields: ['email'],
      rule_hash: '0'.repeat(64),
      state: 'ready',
      ended_at: at,
    });
    await insert('audience_reading_contacts', {
      reading_id,
      id: '1',
      pass: 1,
      data: JSON.stringify({ email: address, first_name: `Name-${marker}` }),
    });
    const visitor = { touchpoint_id: websiteId, visitor_id: newId() };
    await insert('visitor_contacts', {
      ...visitor,
      bound_at: at,
      send_id: sent.sendId,
      seq: 1,
      collection: 'contacts',
      contact_id: key,
    });
    await insert('visitor_sessions', {
      ...visitor,
      started_at: at,
      ended_at: '2026-11-18T09:10:00Z',
      page_views: 1,
      events: 1,
      first_path: `/page-of-visit`,
      tracks: 0,
    });
    await insert('visitor_events', {
      ...visitor,
      at,
      id: newId(),
      type: 'IDENTIFY',
      url: 'https://shop.example/',
      path: '/',
      user_id: `User-${marker}`,
      collection: 'contacts',
      is_bot: false,
    });
    return { sent, address, key };
  }

  /** Everything that `storePerson` stored, but the pseudonymous ids. */
  const marksOf = (marker: string) => [
    marker,
    `Name-${marker}`,
    `Last-${marker}`,
    `Note-${marker}`,
    `Agent-${marker}`,
    `User-${marker}`,
  ];

  test('nothing happens until the owner of the address confirms', async () => {
    const address = 'careful@person.example';
    await add({ email: address });
    const sent = await sendTo([address]);
    const page = await inject('GET', `/p/${tokenOf(sent)}/data`);
    assert.equal(page.statusCode, 200);
    assert.match(page.body, /c•••@person\.example/);
    assert.doesNotMatch(page.body, /careful@|<script/);
    assert.equal(page.headers['referrer-policy'], 'no-referrer');
    assert.deepEqual(await requestsOf(address), []);
    assert.equal((await inject('POST', `/p/${tokenOf(sent)}/data`, 'kind=everything')).statusCode, 400);
    assert.deepEqual(await requestsOf(address), []);
    assert.equal((await ask(sent, 'erasure')).statusCode, 200);
    assert.deepEqual(await requestsOf(address), [{ state: 'unconfirmed', kind: 'erasure' }]);
    const link = await linkTo(address);
    const asked = await inject('GET', link);
    assert.match(asked.body, /Erase my data/);
    assert.equal(await work(), undefined);
    assert.deepEqual(await requestsOf(address), [{ state: 'unconfirmed', kind: 'erasure' }]);
    // A link of another purpose, an altered one, and one that is too old confirm nothing.
    for (const altered of [
      `/d/${tokenOf(sent)}`,
      link.replace(/.(?=\?)/, (last) => (last === 'A' ? 'B' : 'A')),
    ])
      assert.equal((await inject('POST', altered, '')).statusCode, 404);
    await execute(app.owner)`
      update data_requests set requested_at = now() - interval '25 hours' where address_key = ${address}`;
    assert.match((await inject('POST', link, '')).body, /This link doesn’t work/);
    assert.deepEqual(await requestsOf(address), [{ state: 'unconfirmed', kind: 'erasure' }]);
    assert.deepEqual((await list()).items, []);
  });

  test('an address gets at most three emails of a kind a day', async () => {
    const sent = await sendTo(['bombed@person.example']);
    const statuses: number[] = [];
    for (let n = 0; n < 5; n += 1) statuses.push((await ask(sent, 'copy')).statusCode);
    assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
    assert.equal((await ask(sent, 'erasure')).statusCode, 200);
    const rows = await rowsOf<{ count: number }>(app.owner)`
      select count(*)::int as count from account_email_outbox where recipient = 'bombed@person.example'
    `;
    assert.equal(rows[0]?.count, 4);
  });

  test('a copy has all of the person and nobody else', async () => {
    const { sent, address } = await storePerson('copied');
    await storePerson('neighbor');
    // A test that went to this address, with the values of somebody else.
    const tested = await sendTo([address], { first_name: 'Somebody' });
    await updateRows(app.owner, 'touchpoint_sends', { id: tested.sendId }, { kind: 'test' });
    // Events that wait for minutes to be counted are not left out.
    await execute(app.owner)`update unfolded_message_events set at = at - interval '5 minutes'`;
    await execute(app.owner)`update event_folds set folded_until = now() - interval '5 minutes'`;
    const link = await confirm(sent, 'copy', address);
    await work();
    assert.match((await inject('GET', link)).body, /working on it/);
    await foldAll(app.owner);
    await execute(app.owner)`update jobs set due_at = now() where kind = 'data_request'`;
    await work();
    assert.match((await inject('GET', link)).body, /Your copy is ready/);
    const file = await inject('GET', `${link.split('?')[0]}?file=1`);
    assert.match(String(file.headers['content-disposition']), /attachment/);
    const copy = JSON.parse(file.body) as PersonCopy;
    assert.deepEqual(
      copy.contacts.map(({ fields, notes }) => [fields['first_name'], notes.map(({ text }) => text)]),
      [['Name-copied', ['Note-copied']]],
    );
    assert.equal(copy.messages.length, 2);
    const [message] = copy.messages as {
      address: string;
      result: string;
      events: { user_agent: string; country: string }[];
    }[];
    assert.deepEqual([message?.address, message?.result], ['Copied@person.example', 'bounced']);
    assert.match(String(message?.events[0]?.user_agent), /Firefox/);
    assert.equal(message?.events[0]?.country, 'US');
    assertColumn(copy.visits, 'first_path', ['/page-of-visit']);
    const { suppressions, resubscriptions, topics, pauses, tracking } = copy.consent;
    for (const records of [suppressions, resubscriptions, topics, pauses, tracking])
      assert.equal(records.length, 1);
    assertColumn(copy.sign_ups, 'consent_text', ['I want letters.']);
    assertColumn(copy.reactions as { state: string }[], 'state', ['waiting', 'waiting']);
    assert.doesNotMatch(file.body, /neighbor|Somebody|else\.example/);
    assert.doesNotMatch(file.body, new RegExp(owner.userId));
    // It is kept for a week.
    await execute(app.owner)`
      update data_requests set ended_at = now() - interval '8 days' where address_key = ${address}`;
    await expireDataRequests(app.services.db);
    assert.match((await inject('GET', link)).body, /This link doesn’t work/);
  });

  test('a large copy arrives in a small worker, while others send', { timeout: 120_000 }, async (t) => {
    // Nearly 1 MB each: as large as an item may be.
    const [items, letters] = [22, 490_000];
    const address = 'large@person.example';
    await add({ email: address });
    await execute(app.owner)`
      insert into content_items (organization_id, collection, id, data)
      select ${organizationId}, 'contacts', gen_random_uuid(), jsonb_build_object('email', ${address}::text, 'text', repeat('ж', ${letters}))
      from generate_series(1, ${items}::integer)
    `;
    const link = await confirm(await sendTo([address]), 'copy', address);
    const sink = await startSmtpSink();
    const { sendId } = await buildDueSend(app.owner, { contacts: 20 });
    const startedAt = performance.now();
    const worker = startWorkerProcess(app, sink.url, app.services.config.secretKey);
    try {
      await waitUntil('the send of another organization is over', async () => {
        const { status } = await getRow(app.owner, 'touchpoint_sends', ['status'], { id: sendId });
        return status === 'completed';
      });
      t.diagnostic(`sent after ${Math.round(performance.now() - startedAt)} ms`);
      await waitUntil('the copy is made', async () => (await requestsOf(address))[0]?.state === 'done');
      t.diagnostic(`copied after ${Math.round(performance.now() - startedAt)} ms`);
      const status = await readFile(`/proc/${worker.pid}/status`, 'utf8');
      const peak = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1_000;
      t.diagnostic(`the worker had ${Math.round(peak)} MB at most`);
      assert.ok(peak < 220, `${peak} MB`);
    } finally {
      await worker.stop();
      await sink.close();
    }
    const file = await app.app.inject({
      method: 'GET',
      url: `${link.split('?')[0]}?file=1`,
      payloadAsStream: true,
    });
    assert.equal(file.statusCode, 200);
    let text = '';
    let received = 0;
    for await (const piece of file.stream() as AsyncIterable<Buffer>) {
      text += piece.toString('latin1').replace(/(Ð¶){1000,}/g, '');
      received += piece.length;
    }
    assert.ok(received > items * letters * 2, `${received} bytes`);
    const copy = JSON.parse(text.replaceAll(/[^\x20-\x7e\n]/g, '')) as PersonCopy;
    assert.equal(copy.contacts.length, items + 1);
    // The next copy replaces it.
    await execute(app.owner)`delete from content_items where data ? 'text'`;
    await confirm(await sendTo([address]), 'copy', address);
    await work();
    const records = await listRows(app.owner, 'data_request_records', ['list'], {});
    assert.equal(records.filter((record) => record.list === 'contacts').length, 1);
  });

  test('an erasure leaves nothing of the person, and counts stay', async () => {
    const marker = 'zedekiah';
    const { sent, address, key } = await storePerson(marker);
    // Somebody who may have to do with the person, and whose address contains the other one.
    await add({ email: `not-${address}`, first_name: 'Neighbor' });
    const tokens = app.services.signer.sign({ sendNumber: sent.sendNumber, seq: 1 });
    const link = await confirm(sent, 'erasure', address);
    const [objection] = await listRows(app.owner, 'choices', ['brand_id', 'value'], {
      kind: 'suppression',
      address_key: address,
      brand_id: null,
    });
    assert.deepEqual(objection, { brand_id: null, value: 'unsubscribe' });
    await work();
    const hints = startJobWorker(app, [handleHints({ db: app.services.db, eraseVisitorOfContact })]);
    await waitUntil('the hints are erased', async () => {
      return (await listRows(app.owner, 'visitor_contacts', ['is_erased'], { contact_id: key })).length === 0;
    });
    await hints.stop();
    assert.match((await inject('GET', link)).body, /Your data is erased/);
    const [request] = (await list()).items;
    assert.deepEqual([request?.state, request?.masked_address], ['done', null]);

    await execute(app.owner)`delete from content_items where data ->> 'email' = ${`not-${address}`}`;
    await execute(app.owner)`delete from content_unique_values where value = ${`not-${address}`}`;
    await execute(app.owner)`delete from content_search_texts where text like ${`%not-${address}%`}`;
    const found = await Promise.all(marksOf(marker).map((mark) => findMarker(app.owner, mark)));
    // The other recipient of the same send, whose address has the same letters.
    const { address: other } = await getRow(app.owner, 'deliveries', ['address'], {
      send_id: sent.sendId,
      seq: 2,
    });
    assert.equal(other, `other-${marker}@else.example`);
    assert.deepEqual(
      found.map((places) => places.filter((place) => place !== 'deliveries.address')),
      marksOf(marker).map(() => []),
    );
    assert.deepEqual(await findMarker(app.owner, address), []);

    const { state, reply } = await getRow(app.owner, 'delivery_results', ['state', 'reply'], {
      send_id: sent.sendId,
      seq: 1,
    });
    assert.deepEqual([state, reply], ['bounced', null]);
    await foldAll(app.owner);
    const rows = await rowsOf<{ country: string | null }>(app.owner)`
      select country from events where send_id = ${sent.sendId} and type = 'CLICK'
    `;
    assert.deepEqual(rows, [{ country: null }]);
    // The links of the message give nothing away, and change nothing.
    assert.equal((await inject('GET', `/u/${tokens.unsubscribe}`)).statusCode, 404);
    assert.equal((await inject('GET', `/v/${tokens.view}`)).statusCode, 404);
    assert.equal((await ask(sent, 'copy')).statusCode, 404);
  });

  test('only the own address makes a contact part of a request', async () => {
    const address = 'referrer@person.example';
    await app.ok('POST', `${base}/fields/contacts`, {
      as: owner,
      body: { field: 'friend_email', type: 'string', interface: 'email' },
    });
    const friend = { email: 'victim@person.example', first_name: 'Victim', friend_email: address };
    const key = await add(friend);
    const sent = await sendTo([address, friend.email], { first_name: 'Victim' });
    const of = { organization_id: organizationId, send_id: sent.sendId, seq: 2 };
    await updateRows(app.owner, 'deliveries', of, { contact_id: key });
    await storeResults(app.owner, sent, ['sent', 'sent'], () => at);

    const link = await confirm(sent, 'copy', address);
    await work();
    const copy = JSON.parse((await inject('GET', `${link.split('?')[0]}?file=1`)).body) as PersonCopy;
    assert.deepEqual(copy.contacts, []);
    assert.deepEqual(copy.mentions, [{ collection: 'contacts', fields: { friend_email: address } }]);
    assert.equal(copy.messages.length, 1);
    assert.doesNotMatch(JSON.stringify(copy), /victim@/);

    await confirm(sent, 'erasure', address);
    await work();
    const body = await owner.ok<{ data: Item }>('GET', `${base}/items/contacts/${key}`);
    assert.deepEqual(
      [body.data['email'], body.data['first_name'], body.data['friend_email']],
      [friend.email, 'Victim', null],
    );
    assert.equal((await getRow(app.owner, 'deliveries', ['address'], of)).address, friend.email);
    assert.deepEqual(await findMarker(app.owner, address), []);
  });

  test('an address with a Unicode domain is found as it was entered', async () => {
    await add({ email: 'Ada@bücher.example' });
    const address = 'ada@xn--bcher-kva.example';
    const sent = await sendTo([address]);
    await storeResults(app.owner, sent, ['sent'], () => at);
    await confirm(sent, 'erasure', address);
    await work();
    assert.deepEqual(await findMarker(app.owner, 'bücher'), []);
    assert.deepEqual(await findMarker(app.owner, address), []);
  });

  test('an erased address that comes in again gets no email', async () => {
    const address = 'again@person.example';
    await add({ email: address });
    await confirm(await sendTo([address]), 'erasure', address);
    await work();
    const suppressed = async (address_key: string) =>
      (await listRows(app.owner, 'choices', ['value'], { kind: 'suppression', address_key, brand_id: null }))
        .length === 1;
    assert.equal(await suppressed(address), false);

    // By a form or program.
    const key = await add({ email: 'Again@Person.example' });
    assert.equal(await suppressed(address), true);
    const item = await owner.request<{ data: Item }>('GET', `${base}/items/contacts/${key}`);
    assert.equal(item.body.data['unsubscribed'], true);

    // By an import.
    const forget = async () => {
      await execute(app.owner)`delete from content_items where data ->> 'email' = ${address}`;
      await execute(app.owner)`delete from content_unique_values where value = ${address}`;
      await execute(app.owner)`delete from choices where kind = 'suppression' and address_key = ${address}`;
    };
    await forget();
    const body = new FormData();
    body.append('collection', 'contacts');
    body.append('mapping', JSON.stringify({ Email: 'email' }));
    body.append(
      'file',
      new Blob([`Email\n${address}\nfresh@person.example\n`], { type: 'text/csv' }),
      'a.csv',
    );
    const uploaded = await owner.request('POST', `${base}/imports`, body);
    assert.equal(uploaded.status, 202, JSON.stringify(uploaded.body));
    await runJobs(app, app.owner, [handleImports(app.services)]);
    assert.deepEqual([await suppressed(address), await suppressed('fresh@person.example')], [true, false]);

    // Until a member has resubscribed it, with the basis.
    await forget();
    const again = await add({ email: address });
    await owner.ok('POST', `${base}/consent/contacts/${again}/resubscribe`, {
      brand_id: null,
      basis: 'Signed a new contract',
    });
    const { services } = app;
    const found = await inOrganization(services.db, organizationId, (trx) =>
      suppressErased(
        trx,
        services.secrets,
        { organizationId, brandsInScope: () => Promise.resolve([null]) },
        () => [address],
      ),
    );
    assert.deepEqual(found, []);
  });

  test('an erased address gets no email by any field that holds it', async () => {
    const address = 'friend@person.example';
    await add({ email: address });
    await confirm(await sendTo([address]), 'erasure', address);
    await work();
    const field = { field: 'partner_email', type: 'string', interface: 'email' };
    await owner.ok('POST', `${base}/fields/contacts`, field);
    const isSuppressed = async () => {
      const rows = await listRows(app.owner, 'choices', ['id'], {
        kind: 'suppression',
        address_key: address,
      });
      await execute(app.owner)`delete from choices where kind = 'suppression' and address_key = ${address}`;
      return rows.length === 1;
    };
    const key = await add({ email: 'other@person.example', partner_email: 'Friend@Person.example' });
    assert.equal(await isSuppressed(), true, 'created');
    const path = `${base}/items/contacts/${key}`;
    const change = async (body: Item) => assert.equal((await owner.request('PATCH', path, body)).status, 200);
    await change({ first_name: 'Ada' });
    assert.equal(await isSuppressed(), false, 'what did not change was lifted on purpose');
    await change({ partner_email: 'nobody@person.example' });
    await change({ partner_email: address });
    assert.equal(await isSuppressed(), true, 'changed');

    const body = new FormData();
    body.append('collection', 'contacts');
    body.append('mapping', JSON.stringify({ Email: 'email', Friend: 'partner_email' }));
    const csv = `Email,Friend\nthird@person.example,${address}\n`;
    body.append('file', new Blob([csv], { type: 'text/csv' }), 'a.csv');
    assert.equal((await owner.request('POST', `${base}/imports`, body)).status, 202);
    await runJobs(app, app.owner, [handleImports(app.services)]);
    assert.equal(await isSuppressed(), true, 'imported');
  });

  test('an erasure waits for messages that are not over', async () => {
    const address = 'waiting@person.example';
    const sent = await sendTo([address]);
    await updateRows(app.owner, 'touchpoint_sends', { id: sent.sendId }, { status: 'paused' });
    const link = await confirm(sent, 'erasure', address);
    await work();
    assert.deepEqual(await requestsOf(address), [{ state: 'running', kind: 'erasure' }]);
    const isSuppressed = async () =>
      (await listRows(app.owner, 'choices', ['value'], { kind: 'suppression', address_key: address }))
        .length > 0;
    assert.equal(await isSuppressed(), true);
    // After a day, members and the person hear why.
    await execute(app.owner)`
      update data_requests set confirmed_at = now() - interval '25 hours' where address_key = ${address}`;
    await work();
    const [request] = (await list()).items;
    assert.deepEqual([request?.state, request?.failure], ['waiting', 'messages_open']);
    assert.match((await inject('GET', link)).body, /finish a mailing first/);
    assertProblem(
      await owner.request('POST', `/api/data_requests/${request!.id}/complete`),
      409,
      'invalid_transition',
    );
    await storeResults(app.owner, sent, ['suppressed'], () => at);
    await work();
    assert.deepEqual(await requestsOf(address), []);
    assert.equal(await isSuppressed(), false);
    const delivery = await getRow(app.owner, 'deliveries', ['address', 'variables'], {
      send_id: sent.sendId,
    });
    assert.deepEqual(delivery, { address: '', variables: {} });
    await updateRows(app.owner, 'touchpoint_sends', { id: sent.sendId }, { status: 'completed' });
  });

  test('an address that is written during its erasure gets no email after it', async () => {
    const address = 'meanwhile@person.example';
    await add({ email: address });
    const sent = await sendTo([address]);
    await storeResults(app.owner, sent, ['sent'], () => at);
    await confirm(sent, 'erasure', address);
    let isAdded = false;
    const person = { organizationId, addressKey: address };
    const outcome = await erasePerson(
      person,
      async (step) => {
        const result = await inOrganization(app.services.db, organizationId, step);
        const rows = await rowsOf(app.owner)`select from content_items where data ->> 'email' = ${address}`;
        if (rows.length === 0 && !isAdded) {
          isAdded = true;
          await add({ email: address });
        }
        return result;
      },
      app.services.secrets,
    );
    assert.deepEqual([isAdded, outcome], [true, 'open']);
    const suppressed = await listRows(app.owner, 'choices', ['brand_id'], {
      kind: 'suppression',
      address_key: address,
    });
    assert.deepEqual(suppressed, [{ brand_id: null }]);
    await work();
    assert.deepEqual(await findMarker(app.owner, address), []);
  });

  test('an erasure leaves no record of a copy that is being made', async () => {
    const address = 'at-once@person.example';
    const sent = await sendTo([address]);
    await storeResults(app.owner, sent, ['sent'], () => at);
    await confirm(sent, 'copy', address);
    const requests = await listRows(app.owner, 'data_requests', ['id'], { address_key: address });
    const { id } = requests[0]! as { id: string };
    const key = { organizationId, id };
    const inTenant = <T>(step: Parameters<typeof inOrganization<T>>[2]) =>
      inOrganization(app.services.db, organizationId, step);
    let erasure: Promise<void> | undefined;
    await inTenant(async (trx) => {
      await lockRequest(trx, key);
      await insertRecords(trx, key, { list: 'contacts', after: 0 }, sql`select ${address}::text as email`);
      erasure = inTenant((other) => eraseCopies(other, organizationId, address));
      await waitUntil(
        'the erasure waits for the copy',
        () => hasRows(app.owner)`
          select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%update data_requests%'
        `,
      );
    });
    await erasure;
    assert.deepEqual(await listRows(app.owner, 'data_request_records', ['list'], { request_id: id }), []);
    await work();
    assert.deepEqual(await listRows(app.owner, 'data_request_records', ['list'], { request_id: id }), []);
  });

  test('an open erasure ends when a member resubscribes the contact', async () => {
    const address = 'came-back@person.example';
    const sent = await sendTo([address]);
    await updateRows(app.owner, 'touchpoint_sends', { id: sent.sendId }, { status: 'paused' });
    const link = await confirm(sent, 'erasure', address);
    await work();
    const key = await add({ email: address, first_name: 'Returned' });
    await owner.ok('POST', `${base}/consent/contacts/${key}/resubscribe`, {
      brand_id: null,
      basis: 'Signed a new contract',
    });
    await updateRows(app.owner, 'touchpoint_sends', { id: sent.sendId }, { status: 'completed' });
    await work();
    assert.match((await inject('GET', link)).body, /The erasure has ended/);
    const body = await owner.ok<{ data: Item }>('GET', `${base}/items/contacts/${key}`);
    assert.equal(body.data['first_name'], 'Returned');
    assert.deepEqual(
      await listRows(app.owner, 'choices', ['value'], { kind: 'suppression', address_key: address }),
      [],
    );
  });

  test('an open message to a former address is suppressed and erased', async () => {
    const [address, former] = ['renamed@person.example', 'former@old.example'];
    const key = await add({ email: address });
    const sent = await sendTo([former], { first_name: 'Secret' });
    const of = { organization_id: organizationId, send_id: sent.sendId };
    await updateRows(app.owner, 'deliveries', of, { contact_id: key });
    await updateRows(app.owner, 'touchpoint_sends', { id: sent.sendId }, { status: 'paused' });
    const earlier = await sendTo([address]);
    await storeResults(app.owner, earlier, ['sent'], () => at);
    await confirm(earlier, 'erasure', address);
    await work();
    // The worker looks up suppressions by this address when it sends.
    assert.deepEqual(await getRow(app.owner, 'deliveries', ['address'], of), { address });
    assert.deepEqual(await requestsOf(address), [{ state: 'running', kind: 'erasure' }]);
    await storeResults(app.owner, sent, ['suppressed'], () => at);
    await updateRows(app.owner, 'touchpoint_sends', { id: sent.sendId }, { status: 'completed' });
    await work();
    assert.deepEqual(await requestsOf(address), []);
    const delivery = await getRow(app.owner, 'deliveries', ['address', 'contact_id', 'variables'], of);
    assert.deepEqual(delivery, { address: '', contact_id: '', variables: {} });
    assert.deepEqual(await findMarker(app.owner, former), []);
  });

  test('members limited to clients see no requests', async () => {
    const body = await owner.ok<{ items: { id: string }[] }>(
      'GET',
      `/api/clients?organization_id=${organizationId}`,
    );
    const guest = await signInGuest(app, organizationId, [body.items[0]!.id]);
    const denied = await guest.request('GET', `/api/data_requests?organization_id=${organizationId}`);
    assertProblem(denied, 403, 'forbidden');
  });

  suite('with a Directus', () => {
    const remote = useOpened(() => openRemoteContacts());
    before(async () => {
      ({
        owner,
        organizationId,
        base,
        emailId: touchpointId,
        websiteId,
        insert,
      } = await newWorld(app, 'owner', 'base', 'emailId', 'websiteId', 'insert'));
      await remote.connect(app, organizationId, owner);
    });

    test('a request waits for a member if the Directus refuses, and is done after another try', async () => {
      await remote.add(1, 'remote');
      const address = 'remote1@sink.example';
      const sent = await sendTo([address]);
      const count = async () =>
        (await listRows(remote.owner, 'content_items', ['id'], { organization_id: remote.organizationId }))
          .length;
      assert.equal(await count(), 1);
      const readOnly = await remote.makeToken(['content:read']);
      const { accessToken } = remote;
      remote.accessToken = readOnly;
      await remote.connect(app, organizationId, owner);
      const link = await confirm(sent, 'erasure', address);
      await work();
      const waiting = await list();
      assert.equal(waiting.waiting_count, 1);
      const [request] = waiting.items;
      assert.deepEqual(
        [request?.state, request?.masked_address, request?.failure],
        ['waiting', 'r•••@sink.example', 'not_allowed'],
      );
      assert.match((await inject('GET', link)).body, /has to finish this/);
      assert.equal(await count(), 1);

      remote.accessToken = accessToken;
      await remote.connect(app, organizationId, owner);
      const retried = await owner.request<DataRequest>('POST', `/api/data_requests/${request!.id}/retry`);
      assert.deepEqual([retried.status, retried.body.state], [200, 'running']);
      await work();
      assert.equal(await count(), 0);
      const done = await list();
      assert.deepEqual(
        [done.waiting_count, done.items[0]?.state, done.items[0]?.masked_address],
        [0, 'done', null],
      );
      assert.deepEqual(await findMarker(app.owner, address), []);
      assertProblem(
        await owner.request('POST', `/api/data_requests/${request!.id}/retry`),
        409,
        'invalid_transition',
      );
    });

    test('a member can say that the rest was done by hand', async () => {
      const address = 'by-hand@sink.example';
      const sent = await sendTo([address]);
      remote.isUp = false;
      await confirm(sent, 'erasure', address);
      await work();
      remote.isUp = true;
      const [request] = (await list()).items;
      assert.equal(request?.state, 'waiting');
      assert.deepEqual(await listRows(app.owner, 'account_email_outbox', ['id'], { recipient: address }), []);
      const complete = `/api/data_requests/${request.id}/complete`;
      await updateRows(app.owner, 'data_requests', { id: request.id }, { state: 'failed' });
      assertProblem(await owner.request('POST', complete), 409, 'invalid_transition');
      await updateRows(app.owner, 'data_requests', { id: request.id }, { state: 'waiting' });
      const completed = await owner.request<DataRequest>('POST', `/api/data_requests/${request.id}/complete`);
      assert.deepEqual(
        [completed.status, completed.body.state, completed.body.masked_address],
        [200, 'done', null],
      );
      assert.deepEqual(await requestsOf(address), []);
      const [entry] = await listRows(app.owner, 'audit_log', ['action', 'record_id'], {
        organization_id: organizationId,
        record_id: request.id,
      });
      assert.equal(entry?.action, 'dataRequests.complete');
    });
  });
});

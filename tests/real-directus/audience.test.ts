import {
  createCollection,
  createDirectus,
  createItems,
  deleteCollection,
  deleteItems,
  readItems,
  rest,
  staticToken,
  updateItems,
} from '@directus/sdk';
import type { Send } from '@reachout/contract/sends.ts';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { handleReadings } from '../../apps/server/src/contacts/audiences/reading-jobs.ts';
import { readingSends } from '../../apps/server/src/delivery/sends/reading-sends.ts';
import { prepareSend } from '../../apps/server/src/delivery/worker/prepare-send.ts';
import { valuesOf } from '../../apps/server/src/platform/database/database.ts';
import {
  createOutboundClient,
  outboundLimits,
} from '../../apps/server/src/platform/outbound/outbound-client.ts';
import { createTestApp, type TestApp } from '../../apps/server/src/testing/app.ts';
import { runJobs } from '../../apps/server/src/testing/job-worker.ts';
import { buildReadyEmail, type ReadyEmail } from '../../apps/server/src/testing/ready-email.ts';
import { readSetting } from './settings.ts';
import { mailboxPolicies } from '../../apps/server/src/testing/mailbox-policies.ts';

const directusUrl = readSetting('DIRECTUS_URL');
const adminToken = readSetting('DIRECTUS_ADMIN_TOKEN');
/** As the audience of the email has it. */
const contacts = 'contacts';
const contactCount = 10_000;

suite('a send to 10,000 contacts of a real Directus', () => {
  let app: TestApp;
  let email: ReadyEmail;
  /** Pages of contacts that were asked for since the last `restart`. */
  let pages = 0;
  /** Called before a page is read; `false` closes this connection and all later ones. */
  let onPage: (page: number) => Promise<boolean | void> | boolean | void = () => undefined;
  let isUp = true;
  const restart = () => {
    [pages, onPage, isUp] = [0, () => undefined, true];
  };

  // Stands between the two, because a Directus cannot be stopped in the middle of an audience.
  const gate = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', directusUrl);
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      if (isUp && url.pathname === `/items/${contacts}` && url.searchParams.has('limit')) {
        pages += 1;
        if ((await onPage(pages)) === false) isUp = false;
      }
      if (!isUp) {
        request.socket.destroy();
        return;
      }
      const { authorization = '', 'content-type': type } = request.headers;
      const answer = await fetch(url, {
        method: request.method ?? 'GET',
        headers: { authorization, ...(type === undefined ? {} : { 'content-type': type }) },
        ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
      });
      const given = answer.headers.get('content-type');
      response.writeHead(answer.status, given === null ? {} : { 'content-type': given });
      response.end(Buffer.from(await answer.arrayBuffer()));
    })();
  });

  const admin = createDirectus(directusUrl).with(staticToken(adminToken)).with(rest());
  const add = async (count: number, prefix: string): Promise<void> => {
    for (let first = 0; first < count; first += 2_000) {
      const items = Array.from({ length: Math.min(2_000, count - first) }, (_, index) => ({
        email: `${prefix}${first + index}@sink.example`,
        first_name: 'Robin',
        last_name: `Person ${first + index}`,
        country: 'DE',
      }));
      await admin.request(createItems(contacts as never, items as never, { fields: ['id'] } as never));
    }
  };
  const listContacts = async (query: object): Promise<{ id: string; email: string }[]> =>
    (await admin.request(
      readItems(contacts as never, { fields: ['id', 'email'], limit: -1, ...query } as never),
    )) as never;
  const call = async <T>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<T> => {
    const response = await app.request<T>(method, `/api${path}`, { as: email.person, ...(body && { body }) });
    assert.ok(response.status < 300, `${path}: ${JSON.stringify(response.body)}`);
    return response.body;
  };
  const start = async () =>
    (await call<Send>('POST', `/touchpoints/${email.touchpointId}/sends`, { immediately: true })).id;
  const sendOf = (id: string) => call<Send>('GET', `/sends/${id}`);
  const prepare = (sendId: string) =>
    prepareSend(app.services.db, mailboxPolicies, { organizationId: email.organizationId, sendId });
  const outbound = createOutboundClient(['127.0.0.1'], { ...outboundLimits, pauseMs: 0 });
  const read = () => {
    const { db, secrets } = app.services;
    return runJobs(app, app.owner, [handleReadings({ db, secrets, outbound, sends: readingSends })]);
  };
  const recipientsOf = (sendId: string) => valuesOf<string>(app.owner)`
      select address from deliveries where send_id = ${sendId}`;
  const makeEmail = async (): Promise<void> => {
    email = await buildReadyEmail(app, { contacts: 5 });
    const path = `/organizations/${email.organizationId}/content_backend/set_up`;
    const endpoint = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`;
    await call('POST', path, { endpoint, admin_token: adminToken, collections: [contacts] });
    await call('PATCH', `/filters/${email.filterId}`, { rule: { country: { _eq: 'DE' } } });
  };

  before(async () => {
    await admin.request(
      createCollection({
        collection: contacts,
        schema: {},
        meta: {},
        fields: [
          { field: 'id', type: 'uuid', schema: { is_primary_key: true }, meta: { special: ['uuid'] } },
          { field: 'email', type: 'string', schema: { is_nullable: false, is_unique: true }, meta: {} },
          { field: 'first_name', type: 'string', schema: {}, meta: {} },
          { field: 'last_name', type: 'string', schema: {}, meta: {} },
          { field: 'country', type: 'string', schema: {}, meta: {} },
          { field: 'unsubscribed', type: 'boolean', schema: { default_value: false }, meta: {} },
        ],
      }),
    );
    await add(contactCount, 'person');
    gate.listen(0, '127.0.0.1');
    await once(gate, 'listening');
    app = await createTestApp({ privateHosts: ['127.0.0.1'] });
  });
  after(async () => {
    gate.closeAllConnections();
    gate.close();
    await admin.request(deleteCollection(contacts));
    await Promise.all([app.close(), outbound.close()]);
  });

  test('waits while it is away at contact 5,000, with the reason, and goes on there', async () => {
    await makeEmail();
    const id = await start();
    await prepare(id);
    restart();
    onPage = (page) => page <= 10;
    await read();
    const waiting = await sendOf(id);
    assert.deepEqual([waiting.status, waiting.error?.code], ['preparing', 'contacts_delayed']);
    assert.equal((await recipientsOf(id)).length, 0);
    restart();
    await read();
    await prepare(id);
    const { status, error, recipients_total_count } = await sendOf(id);
    assert.deepEqual([status, error, recipients_total_count], ['sending', null, contactCount]);
    const recipients = await recipientsOf(id);
    assert.deepEqual([recipients.length, new Set(recipients).size], [contactCount, contactCount]);
  });

  test('gives each who matched one message, whatever changes while it is read', async () => {
    await makeEmail();
    const matched = (await listContacts({})).map((contact) => contact.email);
    assert.equal(matched.length, contactCount);
    const id = await start();
    await prepare(id);
    restart();
    const gone = new Set<string>();
    onPage = async (page) => {
      if (page % 4 === 1) await add(40, `new${page}-`);
      if (page !== 6 && page !== 11) return;
      // Those that were read already: what follows moves forward.
      const first = await listContacts({ sort: ['id'], limit: page === 6 ? 650 : 90 });
      for (const contact of first) gone.add(contact.email);
      await admin.request(deleteItems(contacts as never, first.map((contact) => contact.id) as never));
      const last = await listContacts({ sort: ['-id'], limit: 100 });
      const keys = last.map((contact) => contact.id);
      await admin.request(updateItems(contacts as never, keys as never, { first_name: 'Changed' }));
    };
    await read();
    await prepare(id);
    assert.equal(gone.size, 740);
    const send = await sendOf(id);
    assert.equal(send.status, 'sending', JSON.stringify(send.error));
    const recipients = await recipientsOf(id);
    const reached = new Set(recipients);
    assert.equal(reached.size, recipients.length, 'nobody twice');
    assert.equal(send.recipients_total_count, recipients.length);
    assert.deepEqual(
      matched.filter((address) => !gone.has(address) && !reached.has(address)),
      [],
    );
  });
});

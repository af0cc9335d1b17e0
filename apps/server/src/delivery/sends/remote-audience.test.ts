import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import { sql } from 'kysely';
import type { AudienceCount } from '@reachout/contract/filters.ts';
import type { Message } from '@reachout/contract/messages.ts';
import type { Send } from '@reachout/contract/sends.ts';
import type { EmailPreview, Review, Touchpoint } from '@reachout/contract/touchpoints.ts';
import { handleReadingRemovals, handleReadings } from '../../contacts/audiences/reading-jobs.ts';
import { createOutboundClient, outboundLimits } from '../../platform/outbound/outbound-client.ts';
import { useTestApp, type Method } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { runJobs, startJobWorker } from '../../testing/job-worker.ts';
import { buildReadyEmail, type ReadyEmail } from '../../testing/ready-email.ts';
import { rememberErasure } from '../../contacts/consent/erased-addresses.ts';
import { execute, rowsOf, valuesOf, inOrganization } from '../../platform/database/database.ts';
import { openRemoteContacts, type RemoteContacts } from '../../testing/remote-contacts.ts';
import { prepareSend } from '../worker/prepare-send.ts';
import { readingSends } from './reading-sends.ts';
import { mailboxPolicies } from '../../testing/mailbox-policies.ts';

/** Three pages of 500. */
const contacts = 1_200;
const rule = { country: { _eq: 'DE' } };

suite('audiences in a Directus', () => {
  const app = useTestApp({ privateHosts: ['127.0.0.1'] });
  let remote: RemoteContacts;
  let email: ReadyEmail;
  const outbound = createOutboundClient(['127.0.0.1'], { ...outboundLimits, pauseMs: 0 });

  before(async () => {
    remote = await openRemoteContacts();
  });
  beforeEach(async () => {
    remote.restart();
    await execute(remote.owner)`delete from content_items where collection = 'contacts'`;
    await remote.add(contacts, 'person');
    email = await buildReadyEmail(app, { contacts: 5 });
    await remote.connect(app, email.organizationId, email.person);
    await call('PATCH', `/filters/${email.filterId}`, { rule });
  });
  after(async () => {
    await remote.close();
    await outbound.close();
  });

  const request = <T>(method: Method, path: string, body?: object) =>
    email.person.request<T>(method, `/api${path}`, body);
  const call = <T>(method: Method, path: string, body?: object) =>
    email.person.ok<T>(method, `/api${path}`, body);
  const count = (more: object = {}) =>
    call<AudienceCount>('POST', '/filters/count', {
      organization_id: email.organizationId,
      brand_id: email.brandId,
      collection: 'contacts',
      rule,
      ...more,
    });
  const review = () => call<Review>('GET', `/touchpoints/${email.touchpointId}/review`);
  const start = async () =>
    (await call<Send>('POST', `/touchpoints/${email.touchpointId}/sends`, { immediately: true })).id;
  const sendOf = (id: string) => call<Send>('GET', `/sends/${id}`);
  const prepare = (sendId: string) =>
    prepareSend(app.services.db, mailboxPolicies, { organizationId: email.organizationId, sendId });
  /** Makes the send due and prepares it, as a worker does. */
  const prepareAgain = async (sendId: string) => {
    await execute(app.owner)`update touchpoint_sends set next_due_at = now() where id = ${sendId}`;
    return await prepare(sendId);
  };
  const deps = () => ({ db: app.services.db, secrets: app.services.secrets, outbound, sends: readingSends });
  const read = (until?: Promise<unknown>) => runJobs(app, app.owner, [handleReadings(deps())], until);
  const addressesThere = async (): Promise<string[]> => {
    const rows = await rowsOf<{ email: string }>(remote.owner)`
      select data ->> 'email' as email from content_items where collection = 'contacts' and data ->> 'country' = 'DE'
    `;
    return rows.map((row) => row.email);
  };
  const recipientsOf = (sendId: string) => valuesOf<string>(app.owner)`
      select address from deliveries where send_id = ${sendId}`;
  const readingsOf = () => rowsOf<{ state: string; contacts: number }>(app.owner)`
      select state, (select count(*)::int from audience_reading_contacts c where c.reading_id = r.id) as contacts
      from audience_readings r where organization_id = ${email.organizationId}`;

  test('a contact whose data was erased gets nothing when it is read again', async () => {
    const { organizationId } = email;
    await inOrganization(app.services.db, organizationId, (trx) =>
      rememberErasure(trx, app.services.secrets, organizationId, 'person3@sink.example'),
    );
    const id = await start();
    await prepare(id);
    await read();
    await prepare(id);
    const recipients = await recipientsOf(id);
    assert.ok(recipients.includes('person2@sink.example'));
    assert.ok(!recipients.includes('person3@sink.example'));
  });

  test('an audience is counted live and broken down after reading', async () => {
    await execute(remote.owner)`
      update content_items set data = data || '{"unsubscribed": true}' where data ->> 'email' = 'person1@sink.example'
    `;
    // Unique values in a Directus may differ only by case, and its data may change between two pages.
    await execute(remote.owner)`
      update content_items set data = data || '{"email": "PERSON2@sink.example"}' where data ->> 'email' = 'person3@sink.example'
    `;
    await execute(remote.owner)`
      update content_items set data = data - 'first_name' where data ->> 'email' = 'person4@sink.example'
    `;
    const live = await count();
    assert.deepEqual([live.matched, live.will_receive, live.reading?.read_at], [contacts, contacts, null]);
    assert.equal(live.sample.length, 10);
    const unread = await review();
    assert.deepEqual(unread.audience_breakdown?.will_receive, contacts);
    assert.ok(
      unread.checks.every(({ level }) => level !== 'block'),
      JSON.stringify(unread.checks),
    );
    const problemsOf = ({ checks }: Review) =>
      checks.find(({ check }) => check === 'variables')?.problems.map(({ code }) => code);
    assert.deepEqual(problemsOf(unread), ['contacts_not_read']);

    const begun = await count({ read_contacts: true });
    assert.equal(begun.reading?.state, 'reading');
    await count({ read_contacts: true });
    assert.equal((await readingsOf()).length, 1, 'it is read once at a time');
    await read();
    await remote.add(7, 'later');
    const counted = await count();
    assert.equal(counted.matched, contacts);
    assert.equal(counted.reading?.live_count, contacts + 7);
    assert.ok(counted.reading.read_at !== null);
    assert.deepEqual(
      [counted.excluded.unsubscribed, counted.excluded.duplicate_address, counted.will_receive],
      [1, 1, contacts - 2],
    );
    const reviewed = await review();
    assert.deepEqual(reviewed.audience_breakdown?.will_receive, contacts - 2);
    assert.deepEqual(new Set(problemsOf(reviewed)), new Set(['variable_empty']));
    assert.equal(reviewed.audience_reading?.live_count, contacts + 7);

    // While the backend is unavailable, the known numbers remain.
    remote.isUp = false;
    const away = await count();
    assert.deepEqual([away.will_receive, away.reading?.live_count], [contacts - 2, null]);
    assertProblem(
      await request('POST', '/filters/count', { organization_id: email.organizationId, rule: {} }),
      424,
      'backend_failed',
    );
    await runJobs(app, app.owner, [handleReadingRemovals(deps())]);
    assert.deepEqual(await readingsOf(), []);
  });

  test('each contact gets one message despite concurrent changes', async () => {
    await remote.add(4_000 - contacts, 'more');
    const matched = new Set(await addressesThere());
    const id = await start();
    await prepare(id);
    assert.deepEqual([(await sendOf(id)).status, (await recipientsOf(id)).length], ['preparing', 0]);
    const gone = new Set<string>();
    remote.onPage = async ({ number }) => {
      if (number % 2 === 1) await remote.add(40, `new${number}-`);
      if (number !== 3 && number !== 5) return;
      // Deletes more than a page of the rows that were read, and some that were not: the following rows move forward.
      const rows = await rowsOf<{ email: string }>(remote.owner)`
        delete from content_items where ctid in (
          select ctid from content_items where collection = 'contacts'
          order by id limit ${number === 3 ? 650 : 90}
        ) returning data ->> 'email' as email`;
      for (const row of rows) gone.add(row.email);
      const changed = await sql<{ email: string }>`
        update content_items set data = data || '{"first_name": "Changed"}' where collection = 'contacts'
      `.execute(remote.owner);
      assert.ok((changed.numAffectedRows ?? 0n) > 0n);
    };
    await read();
    await prepare(id);
    const send = await sendOf(id);
    assert.equal(send.status, 'sending', JSON.stringify(send.error));
    const recipients = await recipientsOf(id);
    assert.equal(new Set(recipients).size, recipients.length, 'nobody twice');
    const reached = new Set(recipients);
    const missing = [...matched].filter((address) => !gone.has(address) && !reached.has(address));
    assert.deepEqual(missing, []);
    assert.equal(send.recipients_total_count, recipients.length);

    // Later changes have no effect, and none of the read data is kept.
    await remote.add(5, 'late');
    assert.equal(await prepareAgain(id), undefined);
    assert.equal((await recipientsOf(id)).length, recipients.length);
    await runJobs(app, app.owner, [handleReadingRemovals(deps())]);
    assert.deepEqual(await readingsOf(), []);
  });

  test('reading resumes where it stopped', async () => {
    const id = await start();
    await prepare(id);
    remote.onPage = ({ number }) => number < 3;
    await read();
    const waiting = await sendOf(id);
    assert.deepEqual([waiting.status, waiting.error?.code], ['preparing', 'contacts_delayed']);
    assert.equal((await recipientsOf(id)).length, 0);
    assert.equal((await readingsOf())[0]?.contacts, 1_001);
    await prepareAgain(id);
    assert.deepEqual((await sendOf(id)).error?.code, 'contacts_delayed', 'a look at it changes nothing');

    remote.restart();
    await read();
    assert.equal(remote.pages[0]?.offset, 1_000, 'pages that were read are not read again');
    await prepare(id);
    const send = await sendOf(id);
    assert.deepEqual([send.status, send.error, send.recipients_total_count], ['sending', null, contacts]);
  });

  test('another worker continues the reading of a dead one', async () => {
    const id = await start();
    await prepare(id);
    const reached = Promise.withResolvers<void>();
    const late = Promise.withResolvers<boolean>();
    remote.onPage = ({ number }) => {
      if (number !== 3) return true;
      reached.resolve();
      return late.promise;
    };
    const dying = startJobWorker(app, [handleReadings(deps())]);
    await reached.promise;
    await dying.vanish();
    remote.restart();
    await read();
    assert.equal(remote.pages[0]?.offset, 1_000, 'it goes on where the dead one was');
    // The page that the dead worker requested arrives and is ignored.
    late.resolve(true);
    await dying.stop();
    await prepare(id);
    const send = await sendOf(id);
    assert.deepEqual([send.status, send.error, send.recipients_total_count], ['sending', null, contacts]);
    assert.equal(new Set(await recipientsOf(id)).size, contacts, 'everybody once');
  });

  test('a send fails when its contacts cannot be read', async () => {
    const id = await start();
    await prepare(id);
    remote.isUp = false;
    await execute(app.owner)`
      update jobs set attempts = 15 where kind = 'audience_reading' and state = 'open'`;
    await read();
    await prepare(id);
    const send = await sendOf(id);
    assert.deepEqual([send.status, send.error?.code], ['failed', 'contacts_not_read']);
    assert.match(String(send.error?.values['detail']), /connection/i);
    assert.equal((await recipientsOf(id)).length, 0);
    const touchpoint = await call<Touchpoint>('GET', `/touchpoints/${email.touchpointId}`);
    assert.equal(touchpoint.status, 'draft');
  });

  test('a cancelled send stops the reading of its contacts', async () => {
    const id = await start();
    await prepare(id);
    remote.onPage = async ({ number }) => {
      if (number === 2) await call('POST', `/sends/${id}/cancel`);
    };
    await read();
    assert.equal(remote.pages.length, 2);
    assert.deepEqual(await readingsOf(), [{ state: 'over', contacts: 501 }]);
    assert.equal((await sendOf(id)).status, 'cancelled');
  });

  test('a send does not read from another backend', async () => {
    const id = await start();
    await prepare(id);
    await email.person.request('DELETE', `/api/organizations/${email.organizationId}/content_backend`);
    await read();
    await prepare(id);
    const send = await sendOf(id);
    assert.deepEqual([send.status, send.error?.code], ['failed', 'contacts_not_read']);
    assert.match(String(send.error?.values['detail']), /another one/);
  });

  test('a send can be confirmed while the outbox changes', async () => {
    let written = 0n;
    remote.onDone = async () => {
      const { numAffectedRows } = await sql`
        update content_outbox set error_content = coalesce(error_content, '') || 'No. '
        where organization_id = ${email.organizationId}`.execute(app.owner);
      written += numAffectedRows ?? 0n;
    };
    await start();
    assert.ok(written > 0n);
  });

  test('a preview shows a message for a real contact', async () => {
    const rows = await rowsOf<{ id: string }>(remote.owner)`
      select id from content_items where data ->> 'email' = 'person9@sink.example'`;
    const collectionItemId = rows[0]!.id;
    const path = `/touchpoints/emails/preview/${email.touchpointId}`;
    const shown = await call<EmailPreview>('POST', path, { collectionItemId });
    assert.deepEqual([shown.to, shown.subject], ['person9@sink.example', 'News for Person 9']);
    const first = await call<EmailPreview>('POST', path, {});
    assert.match(first.subject, /^News for Person \d+$/);
    const sent = await call<Message>('POST', `/touchpoints/emails/${email.touchpointId}/test`, {
      to: email.person.email,
      collectionItemId,
    });
    const written = await sql<{ variables: { first_name: string } }>`
      select variables from deliveries where send_id = ${sent.send_id}`.execute(app.owner);
    assert.equal(written.rows[0]?.variables.first_name, 'Person 9');
    remote.isUp = false;
    assertProblem(await request('POST', path, { collectionItemId }), 424, 'backend_failed');
  });
});

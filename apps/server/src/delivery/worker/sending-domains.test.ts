import assert from 'node:assert/strict';
import { after, before, suite, test, type TestContext } from 'node:test';
import type { DashboardWork } from '@reachout/contract/dashboard.ts';
import type { DomainDetails } from '@reachout/contract/domains.ts';
import type { Message } from '@reachout/contract/messages.ts';
import type { SendErrorCode } from '@reachout/contract/rules/send-errors.ts';
import type { Send } from '@reachout/contract/sends.ts';
import type { DomainStatus } from '@reachout/contract/states/domain.ts';
import type { Review } from '@reachout/contract/touchpoints.ts';
import { verifySignature } from '../../email/dkim/verify-signature.ts';
import { policyOfInstallation } from '../../email/transports/sender-policy.ts';
import { signInGuest } from '../../testing/actors.ts';
import { createTestApp, type TestApp } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { keyRecordOf, makeDkimKey } from '../../testing/dkim-key.ts';
import { startDnsServer, type DnsServer, type ZoneRecords } from '../../testing/dns-server.ts';
import { startProductWorker } from '../../testing/product-worker.ts';
import { buildReadyEmail, type ReadyEmail } from '../../testing/ready-email.ts';
import { updateRows } from '../../testing/rows.ts';
import { startSmtpSink, type SmtpSink } from '../../testing/smtp-sink.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { createWaker } from '../../testing/wake-workers.ts';

/** Mutable, unlike the zone of other tests: records come and go during a send. */
const zone: Record<string, ZoneRecords | 'silent'> = {};
let domains = 0;

suite('sends from sending domains', () => {
  let app: TestApp;
  let sink: SmtpSink;
  let dns: DnsServer;
  let wakeWorkers: () => Promise<void>;

  before(async () => {
    sink = await startSmtpSink({ keepMessages: true });
    dns = await startDnsServer(zone);
    app = await createTestApp({
      smtpUrl: sink.url,
      senderDomains: ['nordwind.example'],
      dailyRecipientLimit: 1_000_000,
      dnsServers: [dns.address],
    });
    wakeWorkers = createWaker(app.owner);
  });
  after(async () => {
    await app.close();
    dns.close();
    await sink.close();
  });

  const request = async <T>({ person }: ReadyEmail, method: string, path: string, body?: object) =>
    await person.ok<T>(method as 'GET', `/api${path}`, body);

  interface Own {
    email: ReadyEmail;
    domain: DomainDetails;
  }

  /** Adds a sending domain whose keys are in the DNS, and whose checks are left open. */
  async function addDomain(email: ReadyEmail, status: DomainStatus, owner = {}): Promise<DomainDetails> {
    domains += 1;
    const domain = await request<DomainDetails>(email, 'POST', '/domains', {
      organization_id: email.organizationId,
      domain: `shop${domains}.example`,
      ...owner,
    });
    publishKeys(domain);
    await setStatus(domain, status);
    return domain;
  }
  const setStatus = ({ id }: DomainDetails, status: DomainStatus) =>
    updateRows(app.owner, 'sending_domains', { id }, { status });
  const publishKeys = ({ records }: DomainDetails) => {
    for (const { purpose, name, value } of records) if (purpose === 'dkim') zone[name] = { TXT: [value] };
  };
  const setCheck = ({ id }: DomainDetails, columns: object) =>
    updateRows(app.owner, 'sending_domain_checks', { domain_id: id, kind: 'dkim' }, columns);
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

  const setSender = (email: ReadyEmail, domain: string) =>
    request(email, 'PATCH', `/touchpoints/${email.touchpointId}/email`, { from_email: `news@${domain}` });

  /** An email of an organization with a verified domain, which it is sent from. */
  async function buildOwn(contacts = 3): Promise<Own> {
    const email = await buildReadyEmail(app, { contacts });
    const domain = await addDomain(email, 'verified');
    await setSender(email, domain.domain);
    return { email, domain };
  }

  const start = (email: ReadyEmail) =>
    request<Send>(email, 'POST', `/touchpoints/${email.touchpointId}/sends`, { immediately: true });
  const resume = (email: ReadyEmail, { id }: Send) => request(email, 'POST', `/sends/${id}/resume`);
  const waitFor = (email: ReadyEmail, { id }: Send, status: Send['status']) =>
    waitUntil(`the send is ${status}`, async () => {
      await wakeWorkers();
      const send = await request<Send>(email, 'GET', `/sends/${id}`);
      return send.status === status ? send : undefined;
    });
  const waitForPause = async (email: ReadyEmail, send: Send, code: SendErrorCode) => {
    const { error } = await waitFor(email, send, 'paused');
    assert.equal(error?.code, code);
  };

  const arrived = ({ brandId }: ReadyEmail) => sink.taken.filter(({ raw }) => raw.includes(brandId));
  const selectorOf = (raw: string) => /\bs=(r[12]);/.exec(raw.replaceAll(/\r\n\s+/g, ' '))?.[1];
  const recordOf = (domain: string, selector: string | undefined) =>
    String((zone[`${selector}._domainkey.${domain}`] as ZoneRecords | undefined)?.TXT?.[0]);

  /** All of these have arrived once, signed for the domain with a key that is in the DNS. */
  function assertSigned({ email, domain: { domain } }: Own, count: number): void {
    const messages = arrived(email);
    assert.equal(messages.length, count);
    assert.equal(new Set(messages.map(({ recipient }) => recipient)).size, count);
    for (const { raw, recipient } of messages) {
      assert.match(raw.replaceAll(/\r\n\s+/g, ' '), new RegExp(`^DKIM-Signature: .*\\bd=${domain};`));
      const record = recordOf(domain, selectorOf(raw));
      assert.equal(verifySignature(Buffer.from(raw, 'latin1'), record), undefined, recipient);
    }
  }

  /** The mail server takes this many messages of an email and holds the next ones. @returns lets it go on */
  function holdAfter(t: TestContext, email: ReadyEmail, count: number): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    sink.beforeAnswer = ({ raw }) =>
      raw.includes(email.brandId) && arrived(email).length > count ? promise : Promise.resolve();
    t.after(() => {
      sink.beforeAnswer = () => Promise.resolve();
      resolve();
    });
    return resolve;
  }
  const waitUntilHeld = (email: ReadyEmail, count: number) =>
    waitUntil('the mail server holds a message', async () => {
      await wakeWorkers();
      return arrived(email).length > count || undefined;
    });

  test('a send is checked, signed and sent from a verified domain (EML-3, EML-8)', async (t) => {
    const own = await buildOwn();
    const record = recordOf(own.domain.domain, 'r1').replace('; ', `; n=${'a long note '.repeat(100)}; `);
    zone[`r1._domainkey.${own.domain.domain}`] = { TXT: [record] };
    const send = await start(own.email);
    startProductWorker(t, app, sink);
    await waitFor(own.email, send, 'completed');
    assertSigned(own, 3);
    assert.ok(dns.queries.includes(`TXT r1._domainkey.${own.domain.domain}`));
    // Seen within the last hour.
    const asked = dns.queries.length;
    const trial = await request<Message>(
      own.email,
      'POST',
      `/touchpoints/emails/${own.email.touchpointId}/test`,
      { to: own.email.person.email },
    );
    await waitUntil(
      'the test has a result',
      async () => (await request<Message>(own.email, 'GET', `/messages/${trial.id}`)).at ?? undefined,
    );
    assertSigned(own, 4);
    assert.equal(dns.queries.length, asked);
  });

  test('a subdomain and a listed domain are not signed', async (t) => {
    const { email, domain } = await buildOwn();
    await setSender(email, `mail.${domain.domain}`);
    const path = `/api/touchpoints/${email.touchpointId}/sends`;
    assertProblem(await email.person.request('POST', path, {}), 409, 'send_blocked');
    await setSender(email, 'nordwind.example');
    const send = await start(email);
    startProductWorker(t, app, sink);
    await waitFor(email, send, 'completed');
    assert.equal(arrived(email).length, 3);
    for (const { raw } of arrived(email)) assert.doesNotMatch(raw, /^DKIM-Signature/m);
  });

  test('a send does not start while the key record is wrong (EML-8)', async (t) => {
    const own = await buildOwn();
    await setCheck(own.domain, {
      state: 'pass',
      verdict: 'pass',
      checked_at: hoursAgo(2),
      answered_at: hoursAgo(2),
    });
    const name = `r1._domainkey.${own.domain.domain}`;
    zone[name] = { TXT: [keyRecordOf(makeDkimKey())] };
    const send = await start(own.email);
    startProductWorker(t, app, sink);
    await waitForPause(own.email, send, 'dkim_record_wrong');
    assert.deepEqual(arrived(own.email), []);
    publishKeys(own.domain);
    await setCheck(own.domain, { started_at: hoursAgo(1) });
    await resume(own.email, send);
    await waitFor(own.email, send, 'completed');
    assertSigned(own, 3);
  });

  test('without an answer of the DNS, a pass of the last day holds', async (t) => {
    const old = await buildOwn();
    const recent = await buildOwn();
    for (const [{ domain }, hours] of [
      [old, 25],
      [recent, 23],
    ] as const) {
      zone[`r1._domainkey.${domain.domain}`] = 'silent';
      await setCheck(domain, {
        state: 'pass',
        verdict: 'pass',
        checked_at: hoursAgo(hours),
        answered_at: hoursAgo(hours),
      });
    }
    const other = await buildReadyEmail(app);
    const sends = [await start(old.email), await start(recent.email)] as const;
    const otherSend = await start(other);
    startProductWorker(t, app, sink);
    await waitFor(other, otherSend, 'completed');
    // Both checks are still waiting.
    assert.equal((await request<Send>(recent.email, 'GET', `/sends/${sends[1].id}`)).status, 'sending');
    assert.deepEqual(arrived(recent.email), []);
    await waitForPause(old.email, sends[0], 'dkim_unanswered');
    assert.deepEqual(arrived(old.email), []);
    await waitFor(recent.email, sends[1], 'completed');
    publishKeys(recent.domain);
    assertSigned(recent, 3);
  });

  test('nothing leaves with a key that is unusable or another one (EML-8)', async (t) => {
    const cases: [SendErrorCode, (own: Own) => Promise<unknown>][] = [
      [
        'dkim_key_unusable',
        ({ email }) =>
          updateRows(app.owner, 'dkim_keys', { organization_id: email.organizationId }, { private_key: 'x' }),
      ],
      [
        'dkim_signature_differs',
        async ({ email, domain }) => {
          const record = keyRecordOf(makeDkimKey());
          zone[`r1._domainkey.${domain.domain}`] = { TXT: [record] };
          const of = { organization_id: email.organizationId, selector: 'r1' as const };
          await updateRows(app.owner, 'dkim_keys', of, { public_key: record.split('p=')[1]! });
        },
      ],
    ];
    startProductWorker(t, app, sink);
    for (const [code, change] of cases) {
      const own = await buildOwn();
      await change(own);
      const send = await start(own.email);
      await waitForPause(own.email, send, code);
      assert.deepEqual(arrived(own.email), []);
    }
  });

  const losses: [string, SendErrorCode, (own: Own) => Promise<() => Promise<unknown>>][] = [
    [
      'a domain that begins to fail',
      'sender_domain_failing',
      async ({ domain }) => {
        await setStatus(domain, 'failing');
        return () => setStatus(domain, 'verified');
      },
    ],
    [
      'a domain that is unlinked',
      'sender_domain_not_linked',
      async ({ email, domain }) => {
        const other = await addDomain(email, 'verified');
        const link = (ids: string[]) =>
          request(email, 'PUT', `/campaigns/${email.campaignId}/domains`, { domain_ids: ids });
        await link([other.id]);
        return () => link([domain.id]);
      },
    ],
    [
      'a domain that is deleted',
      'sender_domain_denied',
      async ({ email, domain }) => {
        await request(email, 'DELETE', `/domains/${domain.id}`);
        return async () => {
          const { id } = await request<DomainDetails>(email, 'POST', '/domains', {
            organization_id: email.organizationId,
            domain: domain.domain,
          });
          await updateRows(app.owner, 'sending_domains', { id }, { status: 'verified' });
        };
      },
    ],
  ];
  for (const [what, code, lose] of losses)
    test(`${what} pauses its send, and nothing is lost`, async (t) => {
      const own = await buildOwn(40);
      const release = holdAfter(t, own.email, 5);
      const send = await start(own.email);
      startProductWorker(t, app, sink, { inFlightLimit: 4 });
      await waitUntilHeld(own.email, 5);
      const regain = await lose(own);
      await waitForPause(own.email, send, code);
      release();
      await regain();
      await resume(own.email, send);
      const { recipients_total_sent_count } = await waitFor(own.email, send, 'completed');
      assert.equal(recipients_total_sent_count, 40);
      assertSigned(own, 40);
    });

  test('a send goes on with the other key after a rotation', async (t) => {
    const own = await buildOwn(40);
    const release = holdAfter(t, own.email, 5);
    const send = await start(own.email);
    startProductWorker(t, app, sink, { inFlightLimit: 4 });
    await waitUntilHeld(own.email, 5);
    const { organizationId: organization_id } = own.email;
    const { step } = await request<{ step: string }>(own.email, 'POST', '/domains/keys/rotate', {
      organization_id,
    });
    assert.equal(step, 'switched');
    // One message at a time passes, until the worker has seen the other key.
    sink.beforeAnswer = async () => {
      if (arrived(own.email).every(({ raw }) => selectorOf(raw) === 'r1'))
        await new Promise((resolve) => setTimeout(resolve, 1_000));
    };
    release();
    await waitFor(own.email, send, 'completed');
    assertSigned(own, 40);
    const selectors = new Set(arrived(own.email).map(({ raw }) => selectorOf(raw)));
    assert.deepEqual(selectors, new Set(['r1', 'r2']));
  });

  test('a single message waits while its domain is failing', async (t) => {
    const own = await buildOwn();
    const { organizationId: organization_id, touchpointId: touchpoint_id } = own.email;
    const send = await request<Send>(own.email, 'POST', `/touchpoints/${touchpoint_id}/sends`, {
      kind: 'triggered',
    });
    const create = (to: string) =>
      request<Message>(own.email, 'POST', '/messages', { organization_id, touchpoint_id, to });
    startProductWorker(t, app, sink);
    await create('first@sink.example');
    await waitUntil('it arrives', async () => arrived(own.email).length === 1 || undefined);
    await setStatus(own.domain, 'failing');
    await waitForPause(own.email, send, 'sender_domain_failing');
    await setStatus(own.domain, 'verified');
    await resume(own.email, send);
    await create('second@sink.example');
    await waitUntil('it arrives', async () => arrived(own.email).length === 2 || undefined);
    assertSigned(own, 2);
  });

  test('the built-in mailbox signs, limits nothing and asks no DNS', async (t) => {
    const own = await buildOwn();
    const send = await start(own.email);
    const unlimited = await buildReadyEmail(app);
    const unlimitedSend = await start(unlimited);
    const link = await addDomain(unlimited, 'verified');
    await request(unlimited, 'PUT', `/campaigns/${unlimited.campaignId}/domains`, {
      domain_ids: [link.id],
    });
    const asked = dns.queries.length;
    startProductWorker(t, app, sink, {
      policy: { ...policyOfInstallation(app.services.config), transport: 'mailbox' },
    });
    await waitFor(own.email, send, 'completed');
    await waitFor(unlimited, unlimitedSend, 'completed');
    assertSigned(own, 3);
    assert.equal(dns.queries.length, asked);
  });

  test('a guest gets the review that holds for the send', async () => {
    const { email } = await buildOwn();
    const { organizationId: organization_id } = email;
    const { client } = await request<{ client: { id: string } }>(email, 'GET', `/brands/${email.brandId}`);
    const guest = await signInGuest(app, organization_id, [client.id]);
    const own = await guest.request<{ items: unknown[] }>(
      'GET',
      `/api/domains?organization_id=${organization_id}`,
    );
    assert.deepEqual(own.status === 200 ? own.body.items : [], []);
    const { checks } = await request<Review>(
      { ...email, person: guest },
      'GET',
      `/touchpoints/${email.touchpointId}/review`,
    );
    assert.equal(checks.find(({ check }) => check === 'sender_domain')?.level, 'fine');
  });

  test('review, start, preparation and dashboard give the same answer (EML-3)', async (t) => {
    const email = await buildReadyEmail(app);
    const other = await request<{ id: string }>(email, 'POST', '/clients', {
      organization_id: email.organizationId,
      name: 'Another client',
    });
    const verified = await addDomain(email, 'verified');
    const linked = await addDomain(email, 'verified');
    const failing = await addDomain(email, 'failing');
    const pending = await addDomain(email, 'pending');
    const foreign = await addDomain(email, 'verified', { client_id: other.id });
    const elsewhere = await addDomain(await buildReadyEmail(app), 'verified');
    const cases: [string, { isLinked: boolean }, SendErrorCode | undefined][] = [
      [verified.domain, { isLinked: false }, undefined],
      ['nordwind.example', { isLinked: false }, undefined],
      [failing.domain, { isLinked: false }, 'sender_domain_failing'],
      [pending.domain, { isLinked: false }, 'sender_domain_pending'],
      [foreign.domain, { isLinked: false }, 'sender_domain_denied'],
      [elsewhere.domain, { isLinked: false }, 'sender_domain_denied'],
      [linked.domain, { isLinked: true }, undefined],
      [verified.domain, { isLinked: true }, 'sender_domain_not_linked'],
      ['nordwind.example', { isLinked: true }, 'sender_domain_not_linked'],
    ];
    const link = (ids: string[]) =>
      request(email, 'PUT', `/campaigns/${email.campaignId}/domains`, { domain_ids: ids });
    const beginnings: Partial<Record<SendErrorCode, RegExp>> = {
      sender_domain_failing: /^The DNS records of the sending domain/,
      sender_domain_pending: /is not verified yet/,
      sender_domain_denied: /are not allowed here/,
      sender_domain_not_linked: /are not allowed in this campaign/,
    };
    startProductWorker(t, app, sink);
    for (const [domain, { isLinked }, code] of cases) {
      // Planned while the sender was allowed: its preparation must find out.
      await link([]);
      await setStatus(failing, 'verified');
      await setSender(email, domain);
      const path = `/touchpoints/${email.touchpointId}`;
      const wasAllowed =
        code === undefined || ['sender_domain_failing', 'sender_domain_not_linked'].includes(code);
      const planned = wasAllowed ? await request<Send>(email, 'POST', `${path}/sends`, {}) : undefined;
      await link(isLinked ? [linked.id] : []);
      await setStatus(failing, 'failing');

      const { checks, sender_problem } = await request<Review>(email, 'GET', `${path}/review`);
      assert.equal(sender_problem?.code, code, domain);
      const { message, level } = checks.find(({ check }) => check === 'sender_domain')!;
      assert.equal(level, code === undefined ? 'fine' : 'block', domain);
      if (code !== undefined) assert.match(message!, beginnings[code]!, domain);

      if (!isLinked) {
        await request(email, 'PATCH', `/brands/${email.brandId}`, { from_email: `news@${domain}` });
        const work = `/dashboard/work?organization_id=${email.organizationId}`;
        const { attention } = await request<DashboardWork>(email, 'GET', work);
        const isDenied = attention.some(({ kind }) => kind === 'brand_sender_denied');
        assert.equal(isDenied, code !== undefined, domain);
      }
      if (planned === undefined) {
        const started = await email.person.request('POST', `/api${path}/sends`, {});
        assertProblem(started, 409, 'send_blocked');
        assert.match(JSON.stringify(started.body), /"check":"sender_domain"/);
        continue;
      }
      await updateRows(
        app.owner,
        'touchpoint_sends',
        { id: planned.id },
        { next_due_at: new Date().toISOString() },
      );
      const prepared = await waitFor(email, planned, code === undefined ? 'completed' : 'held');
      assert.equal(prepared.error?.code, code, domain);
      if (code !== undefined) await request(email, 'POST', `/sends/${planned.id}/cancel`);
      else await updateRows(app.owner, 'touchpoints', { id: email.touchpointId }, { status: 'draft' });
    }
  });
});

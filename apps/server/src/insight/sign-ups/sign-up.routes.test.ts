import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { execute, onlyValueOf, inOrganization } from '../../platform/database/database.ts';
import { rememberErasure } from '../../contacts/consent/erased-addresses.ts';
import Fastify from 'fastify';
import { simpleParser } from 'mailparser';
import type { Item } from '@reachout/contract/content.ts';
import type { Subscription } from '@reachout/contract/consent.ts';
import type { SignUp, SignUpForm } from '@reachout/contract/sign-up-forms.ts';
import { signUpFieldInput, signUpInputs } from '@reachout/contract/rules/sign-up-inputs.ts';
import type { OrganizationStatus } from '@reachout/contract/statuses.ts';
import { createLog } from '../../platform/log.ts';
import { newId } from '../../platform/ids.ts';
import { createTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { buildBrand, buildCampaign, buildClient, buildTouchpoint } from '../../sample/records.ts';
import { createOrganization } from '../../testing/create-organization.ts';
import { insertRows } from '../../sample/rows.ts';
import { buildGraphPart, listReactions } from '../../testing/event-graph.ts';
import { listRows, updateRows } from '../../testing/rows.ts';
import { startSmtpSink, type SmtpSink } from '../../testing/smtp-sink.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { startWorkerProcess, workerSecretKey, type WorkerProcess } from '../../testing/worker-process.ts';
import { assertColumn } from '../../testing/assert-column.ts';
import { policyOfInstallation } from '../../email/transports/sender-policy.ts';
import { registerSignUps } from './sign-up.routes.ts';

suite('sign-up forms', () => {
  let app: TestApp;
  let sink: SmtpSink;
  let worker: WorkerProcess;
  let owner: Person;

  before(async () => {
    app = await createTestApp({ secretKey: workerSecretKey, trustedProxies: ['127.0.0.1'] });
    sink = await startSmtpSink({ keepMessages: true });
    worker = startWorkerProcess(app, sink.url);
    owner = await app.signIn();
  });
  after(async () => {
    await worker.kill();
    await sink.close();
    await app.close();
  });

  interface Brand {
    organizationId: string;
    clientId: string;
    brandId: string;
  }
  const buildOwnBrand = async (name = 'Nordwind'): Promise<Brand> => {
    await execute(app.owner)`delete from rate_limits where key like 'organizations_of_person:%'`;
    const organizationId = await createOrganization(app, owner);
    const client = await buildClient(app.owner, { organization_id: organizationId });
    const brand = await buildBrand(app.owner, { client_id: client.id, name });
    return { organizationId, clientId: client.id, brandId: brand.id };
  };
  const buildTopic = async ({ organizationId, brandId }: Brand, name: string, position = 1) => {
    const id = newId();
    await insertRows(app.owner, 'topics', {
      id,
      organization_id: organizationId,
      brand_id: brandId,
      name,
      is_default: false,
      position,
    });
    return id;
  };
  const createForm = async ({ organizationId, brandId }: Brand, more: Partial<SignUpForm> = {}) =>
    await owner.ok<SignUpForm>('POST', '/api/sign_up_forms', {
      organization_id: organizationId,
      brand_id: brandId,
      name: 'Footer',
      collection: 'contacts',
      language: 'en',
      title: 'Our letter',
      consent_text: 'I want letters about gardens.\nI can stop them at any time.',
      ...more,
    });
  const pathOf = ({ url }: SignUpForm) => new URL(url).pathname;
  let networks = 0;
  /** Of one IPv4 network each. */
  const nextNetwork = () => `198.${18 + Math.floor(networks / 250)}.${(networks += 1) % 250}.7`;
  const visit = (
    method: 'GET' | 'HEAD' | 'POST',
    url: string,
    {
      form,
      network = nextNetwork(),
      headers = {},
    }: { form?: object; network?: string; headers?: object } = {},
  ) =>
    app.app.inject({
      method,
      url,
      headers: {
        'x-forwarded-for': network,
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(form === undefined
        ? {}
        : { payload: new URLSearchParams(Object.entries(form) as [string, string][]).toString() }),
    });
  const signUp = (form: SignUpForm, email: string, more: object = {}, rest: object = {}) =>
    visit('POST', pathOf(form), { form: { [signUpInputs.email]: email, ...more }, ...rest });
  const newAddress = () => `ada-${randomUUID().slice(0, 8)}@people.example`;
  const mailsTo = (address: string) => sink.taken.filter(({ recipient }) => recipient === address);
  const noMailsWait = () =>
    waitUntil('every mail is accounted for', async () => {
      const waiting = await listRows(app.owner, 'account_email_outbox', ['id'], { ended_at: null });
      return waiting.length === 0;
    });
  /** @returns the path of the link in the newest mail to the address */
  const linkOf = async (address: string): Promise<string> => {
    const mail = await waitUntil('the mail arrives', () => mailsTo(address).at(-1));
    const { text = '' } = await simpleParser(mail.raw);
    const [link = ''] = /https:\/\/reachout\.example\/f\/confirm\/\S+/.exec(text) ?? [];
    return new URL(link).pathname;
  };
  const subscribe = async (form: SignUpForm, address: string, more: object = {}) => {
    assert.equal((await signUp(form, address, more)).statusCode, 200);
    const confirmed = await visit('POST', await linkOf(address));
    assert.equal(confirmed.statusCode, 200, confirmed.body);
    return confirmed;
  };
  const items = async ({ organizationId }: Brand) =>
    (await owner.ok<{ data: Item[] }>('GET', `/api/content/${organizationId}/items/contacts?limit=100`)).data;
  const contactOf = async (brand: Brand, address: string) =>
    (await items(brand)).find(({ email }) => email === address);
  const addContact = async ({ organizationId }: Brand, body: Item) =>
    (await owner.ok<{ data: Item }>('POST', `/api/content/${organizationId}/items/contacts`, body)).data[
      'id'
    ] as string;
  const subscriptionOf = async ({ organizationId }: Brand, key: string) =>
    await owner.ok<Subscription>('GET', `/api/content/${organizationId}/consent/contacts/${key}`);
  const proofOf = async ({ organizationId }: Brand, key: string, as = owner) =>
    await as.request<{ items: SignUp[] }>(
      'GET',
      `/api/content/${organizationId}/consent/contacts/${key}/sign_ups`,
    );
  const formOf = async ({ id }: SignUpForm) => await owner.ok<SignUpForm>('GET', `/api/sign_up_forms/${id}`);
  const suppress = ({ organizationId }: Brand, address_key: string, more: object) =>
    insertRows(app.owner, 'choices', {
      kind: 'suppression',
      id: newId(),
      organization_id: organizationId,
      address_key,
      value: 'unsubscribe',
      ...more,
    });

  test('a confirmed sign-up makes a contact, with proof of what was agreed to', async () => {
    const brand = await buildOwnBrand();
    const [roses, herbs] = [await buildTopic(brand, 'Roses'), await buildTopic(brand, 'Herbs', 2)];
    const form = await createForm(brand, {
      fields: [{ name: 'first_name', label: 'First name', is_required: true }],
      topic_ids: [roses, herbs],
      asks_tracking: true,
    });
    const page = await visit('GET', pathOf(form));
    assert.equal(page.statusCode, 200);
    for (const shown of [
      'Our letter',
      'Nordwind',
      'First name',
      'Roses',
      'Herbs',
      'I want letters about gardens.',
    ])
      assert.ok(page.body.includes(shown), shown);
    assert.match(page.body, /<html lang="en">/);
    assert.equal(page.headers['referrer-policy'], 'no-referrer');
    assert.equal(page.headers['set-cookie'], undefined);
    assert.doesNotMatch(page.body, /<script/);

    const address = newAddress();
    const asked = await signUp(
      form,
      address,
      { field_first_name: 'Ada', topic: roses, tracking: '1', version: '1' },
      { network: '203.0.113.77', headers: { referer: 'https://garden.example/letters?from=mail' } },
    );
    assert.equal(asked.statusCode, 200);
    assert.match(asked.body, /Please check your inbox/);
    assert.ok(!asked.body.includes(address));
    assert.equal(await contactOf(brand, address), undefined, 'nothing before the confirmation');
    const link = await linkOf(address);
    const { text = '', html, from, subject } = await simpleParser(mailsTo(address)[0]!.raw);
    assert.deepEqual([subject, from?.value[0]?.name], ['Please confirm: Our letter', 'Nordwind']);
    assert.equal(text.match(/https?:/g)?.length, 1, 'one link');
    assert.doesNotMatch(String(html), /<img/);

    const stored = await listRows(app.owner, 'sign_ups', '*', { form_id: form.id });
    for (const method of ['GET', 'HEAD', 'GET'] as const) {
      const shown = await visit(method, link);
      assert.equal(shown.statusCode, 200);
    }
    const shown = await visit('GET', link);
    assert.match(shown.body, /<li>Roses<\/li>/);
    assert.match(shown.body, /You won’t get emails about:<\/p><ul><li>Herbs/);
    assert.ok(!shown.body.includes(address));
    assert.deepEqual(await listRows(app.owner, 'sign_ups', '*', { form_id: form.id }), stored);
    assert.equal((await formOf(form)).unconfirmed_count, 1);

    const done = await visit('POST', link, { network: '198.51.100.9' });
    assert.match(done.body, /You are signed up/);
    const contact = await contactOf(brand, address);
    assert.equal(contact?.['first_name'], 'Ada');
    const choices = await listRows(app.owner, 'choices', ['topic_id', 'value', 'source'], {
      kind: 'topic',
      address_key: address,
    });
    assert.deepEqual(
      new Set(choices.map(({ topic_id, value, source }) => `${topic_id} ${value} ${source}`)),
      new Set([`${roses} subscribed sign_up`, `${herbs} not_subscribed sign_up`]),
    );
    const tracking = await listRows(app.owner, 'choices', ['value'], {
      kind: 'tracking',
      address_key: address,
    });
    assert.deepEqual(tracking, [{ value: 'allowed' }]);

    const proof = await proofOf(brand, contact['id'] as string);
    assert.equal(proof.status, 200, JSON.stringify(proof.body));
    const [entry] = proof.body.items;
    const { id: _id, requested_at, confirmed_at, ...rest } = entry!;
    assert.ok(Date.parse(requested_at) <= Date.parse(confirmed_at!));
    assert.deepEqual(rest, {
      form_id: form.id,
      form_name: 'Footer',
      brand: { id: brand.brandId, name: 'Nordwind' },
      address,
      version: 1,
      title: 'Our letter',
      consent_text: 'I want letters about gardens.\nI can stop them at any time.',
      language: 'en',
      field_values: { first_name: 'Ada' },
      topics: [{ id: roses, name: 'Roses' }],
      tracking_consent: true,
      source_page: 'garden.example/letters',
      requested_ip_prefix: '203.0.113.0/24',
      confirmed_ip_prefix: '198.51.100.0/24',
    });
    const file = await owner.request<{ items: SignUp[] }>(
      'GET',
      `/api/content/${brand.organizationId}/consent/contacts/${contact['id'] as string}/sign_ups/export`,
    );
    assert.deepEqual(file.body, proof.body);
    assert.match(String(file.headers['content-disposition']), /^attachment;/);
    const log = await listRows(app.owner, 'audit_log', ['record_id', 'details'], {
      organization_id: brand.organizationId,
      action: 'signUpForms.exportProof',
    });
    assert.deepEqual(log, [{ record_id: contact['id'], details: { count: 1 } }]);

    const again = await visit('POST', link);
    assert.deepEqual([again.statusCode, (await items(brand)).length], [200, 1]);
    const counted = await formOf(form);
    assert.deepEqual(
      [counted.unconfirmed_count, counted.confirmed_count, counted.unwritten_count],
      [0, 1, 0],
    );
  });

  test('known, unknown, suppressed and trapped addresses get the same page', async () => {
    const brand = await buildOwnBrand();
    const form = await createForm(brand);
    const [known, unknown, optedOut, bounced, blocked, trapped] = Array.from({ length: 6 }, newAddress) as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    await addContact(brand, { email: known });
    await suppress(brand, optedOut, { brand_id: brand.brandId });
    await suppress(brand, bounced, { value: 'bounce' });
    await suppress(brand, blocked, { value: 'manual', brand_id: brand.brandId });
    const pages = new Set<string>();
    for (const address of [known, unknown, optedOut, bounced, blocked]) {
      const { statusCode, body } = await signUp(form, address);
      pages.add(`${statusCode} ${body}`);
    }
    const trap = await signUp(form, trapped, { [signUpInputs.trap]: 'https://spam.example' });
    pages.add(`${trap.statusCode} ${trap.body}`);
    const repeated = await signUp(form, known);
    pages.add(`${repeated.statusCode} ${repeated.body}`);
    assert.equal(pages.size, 1, [...pages].join('\n'));
    await noMailsWait();
    const counts = [known, unknown, optedOut, bounced, blocked, trapped].map((to) => mailsTo(to).length);
    assert.deepEqual(counts, [1, 1, 1, 0, 0, 0]);
    const stored = await listRows(app.owner, 'sign_ups', ['address'], { form_id: form.id });
    assert.ok(!stored.some(({ address }) => address === trapped));
  });

  test('what is wrong is shown with what was typed, escaped', async () => {
    const brand = await buildOwnBrand('<b>Nordwind</b>');
    const { organizationId } = brand;
    for (const field of [
      { field: 'size', type: 'integer' },
      { field: 'born', type: 'date' },
      { field: 'color', type: 'string', interface: 'select', choices: ['red', 'blue'] },
      { field: 'secret', type: 'string', hidden: true },
    ])
      await owner.request('POST', `/api/content/${organizationId}/fields/contacts`, field);
    const form = await createForm(brand, {
      title: 'Cats & <i>dogs</i>',
      consent_text: '<script>alert(1)</script>',
      language: 'de',
      fields: [
        { name: 'first_name', label: 'Vor"name', is_required: true },
        ...['size', 'born', 'color'].map((name) => ({ name, label: name, is_required: false })),
      ],
    });
    const response = await signUp(form, '"><script>', {
      field_size: 'tall <',
      field_born: '31.3.2026',
      field_color: 'green',
      field_secret: 'x',
    });
    assert.equal(response.statusCode, 422);
    assert.match(response.body, /<html lang="de">/);
    for (const shown of [
      'value="tall &lt;"',
      'value="&#34;&gt;&lt;script&gt;"',
      'Geben Sie eine Zahl ein.',
      'Geben Sie ein Datum',
      'Wählen Sie einen der Werte.',
      'Bitte füllen Sie dies aus.',
      'Vor&#34;name',
      'Cats &amp; &lt;i&gt;dogs',
    ])
      assert.ok(response.body.includes(shown), shown);
    assert.doesNotMatch(response.body, /<script|<b>|<i>/);
    assert.equal(response.body.match(/aria-invalid="true"/g)?.length, 5);
    const address = newAddress();
    await subscribe(form, address, {
      field_first_name: 'Ada',
      field_size: '170',
      field_born: '1815-12-10',
      field_color: 'red',
      field_secret: 'x',
      field_unsubscribed: '1',
    });
    const contact = await contactOf(brand, address);
    assert.deepEqual(
      [
        contact?.['size'],
        contact?.['born'],
        contact?.['color'],
        contact?.['secret'],
        contact?.['unsubscribed'],
      ],
      [170, '1815-12-10', 'red', null, false],
    );
  });

  test('an address gets at most the documented mails from any networks and forms', async () => {
    const address = newAddress();
    const brands = [await buildOwnBrand(), await buildOwnBrand(), await buildOwnBrand()];
    const forms = await Promise.all(brands.flatMap((brand) => [createForm(brand), createForm(brand)]));
    const bomb = async () => {
      for (let from = 0; from < 100; from += 10) {
        const asked = await Promise.all(
          Array.from({ length: 10 }, (_, index) => {
            const tagged = address.replace('@', index % 2 === 0 ? '@' : `+tag${index}@`);
            return signUp(forms[(from + index) % forms.length]!, tagged.toUpperCase());
          }),
        );
        assert.deepEqual([...new Set(asked.map(({ statusCode }) => statusCode))], [200]);
      }
      await noMailsWait();
      const name = address.slice(0, address.indexOf('@'));
      return sink.taken.filter(({ recipient }) => recipient.toLowerCase().startsWith(name)).length;
    };
    assert.equal(await bomb(), 3, 'one of each organization in five minutes');
    /** As after five minutes. */
    const letMinutesPass = () =>
      execute(app.owner)`
        update rate_limits set expire = 0 where key like 'sign_up_emails_to_address_of_organization_lately:%'`;
    await letMinutesPass();
    assert.equal(await bomb(), 5, 'five of all organizations in a day');
    await letMinutesPass();
    assert.equal(await bomb(), 5);
    const rows = await listRows(app.owner, 'sign_ups', ['id'], {
      organization_id: brands[0]!.organizationId,
    });
    assert.ok(rows.length <= 3);
  });

  test('at most three confirmation emails a day by one organization', async () => {
    const form = await createForm(await buildOwnBrand('Win at https://evil.example'));
    const address = newAddress();
    for (let round = 0; round < 6; round += 1) {
      await signUp(form, address);
      await execute(app.owner)`update rate_limits set expire = 0 where key like '%lately:%'`;
    }
    await noMailsWait();
    assert.equal(mailsTo(address).length, 3);
    const { text = '' } = await simpleParser(mailsTo(address)[0]!.raw);
    assert.doesNotMatch(text, /evil\.example/, 'the name of the brand is no link');
  });

  /** Of several tests: a person owns at most 20 organizations. */
  let shared: Brand | undefined;
  test('at most twenty sign-ups an hour from one network', async () => {
    shared ??= await buildOwnBrand();
    const form = await createForm(shared);
    const statuses: number[] = [];
    for (let round = 0; round < 25; round += 1)
      statuses.push((await signUp(form, newAddress(), {}, { network: '192.0.2.55' })).statusCode);
    assert.deepEqual(statuses, [
      ...Array.from({ length: 20 }, () => 200),
      ...Array.from({ length: 5 }, () => 429),
    ]);
    const again = await signUp(form, 'ada@mail.example', {}, { network: '192.0.2.55' });
    assert.match(again.body, /Nothing was sent yet/);
    assert.match(again.body, /<form method="post"/);
    assert.match(again.body, /value="ada@mail\.example"/);
    // Another form is open for the network.
    const other = await createForm(shared);
    assert.equal((await signUp(other, newAddress(), {}, { network: '192.0.2.55' })).statusCode, 200);
  });

  test('a form for an event takes as many of one network as it says', async () => {
    shared ??= await buildOwnBrand();
    const form = await createForm(shared, { network_limit: 40 });
    assert.equal((await formOf(form)).network_limit, 40);
    const network = '2001:db8:7:1::5';
    const statuses: number[] = [];
    for (let round = 0; round < 42; round += 1)
      statuses.push((await signUp(form, newAddress(), {}, { network })).statusCode);
    assert.deepEqual([statuses.indexOf(429), statuses.filter((status) => status === 429).length], [40, 2]);
    const other = await createForm(shared);
    assert.equal((await signUp(other, newAddress(), {}, { network })).statusCode, 200);
  });

  test('one network never closes a form for the others', async () => {
    shared ??= await buildOwnBrand();
    const form = await createForm(shared, { network_limit: 10_000 });
    // As after 499 sign-ups from there.
    await signUp(form, newAddress(), {}, { network: '198.51.100.77' });
    await execute(app.owner)`
      update rate_limits set points = points + 499 where key like 'sign_ups_of_form%' or key like 'sign_ups_of_org%'`;
    const more = await signUp(form, newAddress(), {}, { network: '198.51.100.77' });
    assert.equal(more.statusCode, 429);
    assert.equal((await signUp(form, newAddress())).statusCode, 200);
    await execute(app.owner)`delete from rate_limits where key like 'sign_up%'`;
  });

  test('mails to confirm are recipients of the day, of the organization and its owner', async () => {
    shared ??= await buildOwnBrand();
    const form = await createForm(shared);
    const { organizationId } = shared;
    const usedBy = (ofPeople: boolean) => onlyValueOf<number>(app.owner)`
        select coalesce(sum(recipients_in_organization(id, null)), 0)::int as used from organizations
        where ${ofPeople} or id = ${organizationId}`;
    const usedSoFar = [await usedBy(false), await usedBy(true)];
    assert.equal((await signUp(form, newAddress())).statusCode, 200);
    assert.deepEqual(
      [await usedBy(false), await usedBy(true)],
      usedSoFar.map((used) => used + 1),
    );
    await execute(app.owner)`
      update organizations set daily_recipient_limit = ${usedSoFar[0]! + 1} where id = ${organizationId}`;
    // The built-in mailbox has no limit.
    const { trackingDb: db, limits, secrets, config } = app.services;
    const delivering = Fastify();
    await registerSignUps(delivering, {
      db,
      limits,
      secrets,
      publicUrl: config.publicUrl,
      perNetwork: config.signUpsPerNetwork,
      policy: { ...policyOfInstallation(config), transport: 'smtp' },
      log: createLog('silent'),
    });
    const address = newAddress();
    const beyond = await delivering.inject({
      method: 'POST',
      url: pathOf(form),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ [signUpInputs.email]: address }).toString(),
    });
    assert.equal(beyond.statusCode, 429, beyond.body);
    assert.match(beyond.body, new RegExp(`value="${address}"`));
    assert.deepEqual(await listRows(app.owner, 'sign_ups', ['id'], { address_key: address }), []);
    await delivering.close();
    await execute(app.owner)`
      update organizations set daily_recipient_limit = null where id = ${organizationId}`;
  });

  test('a new consent lifts opt-outs and complaints of this brand alone', async () => {
    const brand = await buildOwnBrand();
    const other = await buildBrand(app.owner, { client_id: brand.clientId, name: 'Other' });
    const form = await createForm(brand);
    const [own, complained, everything, bounced] = Array.from({ length: 4 }, newAddress) as [
      string,
      string,
      string,
      string,
    ];
    await suppress(brand, own, { brand_id: brand.brandId });
    await suppress(brand, complained, { brand_id: brand.brandId, value: 'complaint' });
    await suppress(brand, everything, {});
    await insertRows(app.owner, 'choices', {
      kind: 'pause',
      value: 'paused',
      organization_id: brand.organizationId,
      brand_id: brand.brandId,
      address_key: own,
      until: '2126-01-01T00:00:00Z',
      source: 'preferences',
    });
    const statesAfter = async (address: string) => {
      await subscribe(form, address);
      const contact = await contactOf(brand, address);
      const { brands, resubscriptions } = await subscriptionOf(brand, contact!['id'] as string);
      return {
        states: Object.fromEntries(brands.map(({ name, state }) => [name, state])),
        lifted: resubscriptions.map(({ state, basis }) => `${state}: ${basis}`),
      };
    };
    const basis = 'Sign-up form “Footer”, version 1';
    assert.deepEqual(await statesAfter(own), {
      states: { Nordwind: 'subscribed', Other: 'subscribed' },
      lifted: [`unsubscribed: ${basis}`],
    });
    assert.deepEqual(await listRows(app.owner, 'choices', '*', { kind: 'pause', address_key: own }), []);
    assert.deepEqual(await statesAfter(complained), {
      states: { Nordwind: 'subscribed', Other: 'subscribed' },
      lifted: [`complained: ${basis}`],
    });
    assert.deepEqual(await statesAfter(everything), {
      states: { Nordwind: 'subscribed', Other: 'unsubscribed' },
      lifted: [`unsubscribed: ${basis}`],
    });

    // It bounces between the request and the confirmation.
    await signUp(form, bounced);
    const link = await linkOf(bounced);
    await suppress(brand, bounced, { value: 'bounce' });
    await visit('POST', link);
    const contact = await contactOf(brand, bounced);
    const { brands } = await subscriptionOf(brand, contact!['id'] as string);
    assertColumn(brands, 'state', ['bounced', 'bounced']);
    assert.ok(other.id);
  });

  test('the confirmation page shows what was entered, escaped, and what is declined', async () => {
    const brand = await buildOwnBrand();
    const [roses, herbs] = [await buildTopic(brand, 'Roses'), await buildTopic(brand, 'Herbs', 2)];
    const form = await createForm(brand, {
      fields: [{ name: 'first_name', label: 'First name', is_required: false }],
      topic_ids: [roses, herbs],
    });
    const address = newAddress();
    await signUp(form, address, { field_first_name: '<b>Ada</b>', topic: roses });
    const { body } = await visit('GET', await linkOf(address));
    assert.match(body, /Entered in the form:<\/p><ul><li>First name: &lt;b&gt;Ada&lt;\/b&gt;<\/li><\/ul>/);
    assert.match(body, /You have chosen:<\/p><ul><li>Roses<\/li><\/ul>/);
    assert.match(body, /You won’t get emails about:<\/p><ul><li>Herbs<\/li><\/ul>/);
  });

  test('a form takes nothing back of what somebody gets already', async () => {
    const brand = (shared ??= await buildOwnBrand());
    const [roses, herbs, ferns] = [
      await buildTopic(brand, 'Roses'),
      await buildTopic(brand, 'Herbs', 2),
      await buildTopic(brand, 'Ferns', 3),
    ];
    await execute(app.owner)`update topics set is_default = true where id = ${herbs}`;
    const form = await createForm(brand, { topic_ids: [roses, herbs, ferns] });
    const choicesOf = async (address: string) => {
      const rows = await listRows(app.owner, 'choices', ['topic_id', 'value'], {
        kind: 'topic',
        address_key: address,
      });
      const names = new Map([
        [roses, 'roses'],
        [herbs, 'herbs'],
        [ferns, 'ferns'],
      ]);
      return Object.fromEntries(rows.map((row) => [names.get(row.topic_id!), row.value === 'subscribed']));
    };
    const subscriber = newAddress();
    await subscribe(form, subscriber, { topic: roses });
    assert.deepEqual(await choicesOf(subscriber), { roses: true, herbs: false, ferns: false });
    // Meanwhile chosen on the preference page.
    await execute(app.owner)`
      update choices set value = 'subscribed' where address_key = ${subscriber} and topic_id = ${herbs}`;
    await execute(app.owner)`delete from rate_limits where key like 'sign_up%'`;
    await signUp(form, subscriber, { topic: ferns });
    await waitUntil('the second mail', () => mailsTo(subscriber).length === 2);
    const link = await linkOf(subscriber);
    const { body } = await visit('GET', link);
    assert.match(body, /<li>Ferns<\/li>/);
    assert.doesNotMatch(body, /Roses|Herbs/);
    await visit('POST', link);
    assert.deepEqual(await choicesOf(subscriber), { roses: true, herbs: true, ferns: true });

    // A contact gets the default topic without a choice of their own.
    const contact = newAddress();
    await addContact(brand, { email: contact });
    await subscribe(form, contact, { topic: roses });
    assert.deepEqual(await choicesOf(contact), { roses: true });

    // Who has opted out of everything begins anew.
    const returning = newAddress();
    await addContact(brand, { email: returning });
    await suppress(brand, returning, { brand_id: brand.brandId });
    await subscribe(form, returning, { topic: roses });
    assert.deepEqual(await choicesOf(returning), { roses: true, herbs: false, ferns: false });
  });

  test('a box says yes only in words that do', async () => {
    const brand = (shared ??= await buildOwnBrand());
    await insertRows(
      app.owner,
      'content_fields',
      ['terms', 'newsletter'].map((field, index) => ({
        organization_id: brand.organizationId,
        collection: 'contacts',
        field,
        type: 'boolean',
        sort: 50 + index,
      })),
    );
    const form = await createForm(brand, {
      fields: [
        { name: 'terms', label: 'Terms', is_required: true },
        { name: 'newsletter', label: 'Newsletter', is_required: false },
      ],
      asks_tracking: true,
    });
    const yes = newAddress();
    await subscribe(form, yes, { field_terms: 'on', field_newsletter: 'ja', tracking: 'yes' });
    const no = newAddress();
    await subscribe(form, no, { field_terms: '1', field_newsletter: 'nein', tracking: '0' });
    const read = async (address: string) => {
      const { newsletter } = (await contactOf(brand, address))!;
      const [choice] = await listRows(app.owner, 'choices', ['value'], {
        kind: 'tracking',
        address_key: address,
      });
      return [newsletter, choice?.value];
    };
    assert.deepEqual(await read(yes), [true, 'allowed']);
    assert.deepEqual(await read(no), [false, 'refused']);
    for (const more of [{ field_terms: 'no' }, { field_terms: '1', field_newsletter: 'perhaps' }]) {
      const { statusCode, body } = await signUp(form, newAddress(), more);
      assert.equal(statusCode, 422, body);
      assert.match(body, /aria-invalid="true"/);
    }
    const unknown = newAddress();
    await subscribe(form, unknown, { field_terms: '1', tracking: 'perhaps' });
    assert.deepEqual(await read(unknown), [null, 'refused']);
  });

  test('who opts out after the request has to sign up again', async () => {
    const brand = await buildOwnBrand();
    const form = await createForm(brand);
    for (const given of [{}, { brand_id: brand.brandId, value: 'complaint' }, { value: 'manual' }]) {
      const address = newAddress();
      await signUp(form, address);
      const link = await linkOf(address);
      await suppress(brand, address, given);
      for (const method of ['GET', 'POST'] as const) {
        const shown = await visit(method, link);
        assert.equal(shown.statusCode, 404);
        assert.match(shown.body, /Please fill in the form again/);
      }
      const states = await listRows(app.owner, 'choices', ['value'], {
        kind: 'suppression',
        address_key: address,
      });
      assert.deepEqual(states, [{ value: given.value ?? 'unsubscribe' }]);
      assert.equal(await contactOf(brand, address), undefined);
    }
  });

  test('a suspended organization confirms nothing', async () => {
    const brand = await buildOwnBrand();
    const form = await createForm(brand);
    const address = newAddress();
    await signUp(form, address);
    const link = await linkOf(address);
    const setStatus = (status: OrganizationStatus) =>
      updateRows(app.owner, 'organizations', { id: brand.organizationId }, { status });
    await setStatus('suspended');
    assert.equal((await visit('POST', link)).statusCode, 404);
    await setStatus('active');
    assert.equal((await visit('POST', link)).statusCode, 200);
  });

  test('a person whose data was erased comes back for this brand alone', async () => {
    const brand = await buildOwnBrand();
    await buildBrand(app.owner, { client_id: brand.clientId, name: 'Other' });
    const form = await createForm(brand);
    const address = newAddress();
    await inOrganization(app.services.db, brand.organizationId, (trx) =>
      rememberErasure(trx, app.services.secrets, brand.organizationId, address),
    );
    await subscribe(form, address);
    const contact = await contactOf(brand, address);
    const { brands } = await subscriptionOf(brand, contact!['id'] as string);
    assert.deepEqual(Object.fromEntries(brands.map(({ name, state }) => [name, state])), {
      Nordwind: 'subscribed',
      Other: 'unsubscribed',
    });
    assert.deepEqual(
      await listRows(app.owner, 'erased_addresses', '*', { organization_id: brand.organizationId }),
      [],
    );
  });

  test('a contact marked as unsubscribed gets mail of this brand alone', async () => {
    const brand = await buildOwnBrand();
    await buildBrand(app.owner, { client_id: brand.clientId, name: 'Other' });
    const form = await createForm(brand);
    const address = newAddress();
    const key = await addContact(brand, { email: address, unsubscribed: true });
    await subscribe(form, address);
    const { brands, state } = await subscriptionOf(brand, key);
    assert.deepEqual(Object.fromEntries(brands.map(({ name, state: ofBrand }) => [name, ofBrand])), {
      Nordwind: 'subscribed',
      Other: 'unsubscribed',
    });
    assert.equal(state, 'subscribed');
    assert.equal((await contactOf(brand, address))?.['unsubscribed'], false);
  });

  test('filled fields of a contact stay as they are', async () => {
    const brand = await buildOwnBrand();
    const form = await createForm(brand, {
      fields: ['first_name', 'last_name'].map((name) => ({ name, label: name, is_required: false })),
    });
    const address = newAddress();
    const key = await addContact(brand, { email: address.toUpperCase(), first_name: 'Augusta' });
    await subscribe(form, address, { field_first_name: 'Mallory', field_last_name: 'Lovelace' });
    const [contact, ...others] = await items(brand);
    assert.equal(others.length, 0);
    assert.deepEqual(
      [contact?.['id'], contact?.['first_name'], contact?.['last_name'], contact?.['email']],
      [key, 'Augusta', 'Lovelace', address.toUpperCase()],
    );
  });

  test('a confirmed sign-up causes its reactions once, in its transaction', async () => {
    const brand = await buildOwnBrand();
    const { organizationId } = brand;
    const form = await createForm(brand);
    const { id: campaignId } = await buildCampaign(app.owner, { brand_id: brand.brandId });
    const welcome = await buildTouchpoint(app.owner, { campaign_id: campaignId });
    await buildGraphPart(
      app.owner,
      { organizationId, campaignId },
      { formId: form.id, listener: welcome.id, type: 'SIGN_UP' },
    );
    const address = newAddress();
    await signUp(form, address);
    const link = await linkOf(address);
    const confirm = async () => (await app.app.inject({ method: 'POST', url: link })).statusCode;

    await execute(
      app.owner,
    )`create function fail() returns trigger language plpgsql as 'begin raise exception ''no''; end'`;
    await execute(
      app.owner,
    )`create trigger fail before insert on reactions for each row execute function fail()`;
    assert.equal(await confirm(), 503);
    assert.equal((await formOf(form)).unconfirmed_count, 1, 'the confirmation is undone with it');
    assert.equal(await contactOf(brand, address), undefined);
    await execute(app.owner)`drop trigger fail on reactions`;
    assert.deepEqual(await Promise.all([confirm(), confirm(), confirm()]), [200, 200, 200]);
    const contact = await contactOf(brand, address);
    assert.deepEqual(
      (await listReactions(app.owner, organizationId)).map(
        ({ cause_type, cause_detail, contact_id, collection }) => [
          cause_type,
          cause_detail,
          contact_id,
          collection,
        ],
      ),
      [['SIGN_UP', form.name, contact?.['id'], form.collection]],
    );
  });

  test('altered, foreign and late links give nothing away', async () => {
    const brand = await buildOwnBrand();
    const form = await createForm(brand);
    const address = newAddress();
    await signUp(form, address);
    const link = await linkOf(address);
    const neutral = async (path: string) => {
      const pages = [await visit('GET', path), await visit('POST', path)];
      for (const { statusCode, body } of pages) {
        assert.equal(statusCode, 404, path);
        assert.match(body, /This link doesn’t work/);
        assert.doesNotMatch(body, /Nordwind/);
      }
    };
    const [place = '', hash = ''] = link.slice('/f/confirm/'.length).split('.');
    const swapped = link.endsWith('A') ? 'B' : 'A';
    for (const token of [
      `${place}.${hash.slice(0, -1)}${swapped}`,
      `${place}.`,
      place,
      `${place}.${hash}.${hash}`,
      `${pathOf(form).slice('/f/'.length)}.${hash}`,
      'x',
    ])
      await neutral(`/f/confirm/${token}`);
    await updateRows(
      app.owner,
      'sign_ups',
      { form_id: form.id },
      { requested_at: new Date(Date.now() - 31 * 86_400_000).toISOString() },
    );
    await neutral(link);
    for (const path of ['/f/x', `/f/${place.slice(1)}`, `${pathOf(form)}x`])
      for (const method of ['GET', 'POST'] as const) {
        const { statusCode, body } = await visit(method, path, { form: { email: newAddress() } });
        assert.equal(statusCode, 404, path);
        assert.match(body, /This form is closed/);
      }
    await owner.request('PATCH', `/api/sign_up_forms/${form.id}`, { is_active: false });
    assert.equal((await visit('GET', pathOf(form))).statusCode, 404);
    assert.equal((await signUp(form, newAddress())).statusCode, 404);
  });

  test('the proof has the text that the person has seen', async () => {
    const brand = await buildOwnBrand();
    const form = await createForm(brand);
    const change = (body: object) =>
      owner.request<SignUpForm>('PATCH', `/api/sign_up_forms/${form.id}`, body);
    assert.equal((await change({ name: 'Renamed' })).body.version, 1);
    assert.equal((await change({ consent_text: 'A new text' })).body.version, 2);
    assert.equal((await change({ consent_text: 'A new text' })).body.version, 2);
    const textOf = async (version: object) => {
      const address = newAddress();
      await subscribe(form, address, version);
      const contact = await contactOf(brand, address);
      const [entry] = (await proofOf(brand, contact!['id'] as string)).body.items;
      return [entry?.version, entry?.consent_text.slice(0, 10)];
    };
    assert.deepEqual(await textOf({ version: '1' }), [1, 'I want let']);
    assert.deepEqual(await textOf({}), [2, 'A new text']);
    assert.deepEqual(await textOf({ version: '3' }), [2, 'A new text']);
    const body = await owner.ok<{ items: { version: number; by: { full_name: string } | null }[] }>(
      'GET',
      `/api/sign_up_forms/${form.id}/versions`,
    );
    assert.deepEqual(
      body.items.map(({ version, by }) => [version, by !== null]),
      [
        [2, true],
        [1, true],
      ],
    );
    const contact = (await items(brand))[0]!;
    await owner.request('DELETE', `/api/sign_up_forms/${form.id}`);
    assertProblem(await owner.request('GET', `/api/sign_up_forms/${form.id}`), 404, 'not_found');
    const [kept] = (await proofOf(brand, contact['id'] as string)).body.items;
    assert.equal(kept?.form_name, null, 'the proof outlives the form');
  });

  test('a form asks for fields and topics that exist and may be set', async () => {
    const brand = await buildOwnBrand();
    const elsewhere = await buildOwnBrand();
    const topic = await buildTopic(elsewhere, 'Elsewhere');
    const attempt = (more: object) =>
      owner.request('POST', '/api/sign_up_forms', {
        organization_id: brand.organizationId,
        brand_id: brand.brandId,
        name: 'Footer',
        collection: 'contacts',
        language: 'en',
        title: 'Our letter',
        consent_text: 'Yes',
        ...more,
      });
    const asking = (name: string) => ({ fields: [{ name, label: 'x' }] });
    assertInvalid(await attempt(asking('email')), 'fields.0.name');
    assertInvalid(await attempt(asking('unsubscribed')), 'fields.0.name');
    assertInvalid(await attempt(asking('nothing')), 'fields.0.name');
    assertInvalid(await attempt({ topic_ids: [topic] }), 'topic_ids');
    assertInvalid(await attempt({ collection: 'newsletters' }), 'collection');
    assertInvalid(await attempt({ collection: 'nothing' }), 'collection');
    assertInvalid(await attempt({ brand_id: elsewhere.brandId }), 'brand_id');
    for (const title of ['Win at evil.example', 'Win at evil．example', 'evil․example', 'Title\u202egnp'])
      assertInvalid(await attempt({ title }), 'title');
    assert.equal(signUpFieldInput('x'), 'field_x');
  });
});

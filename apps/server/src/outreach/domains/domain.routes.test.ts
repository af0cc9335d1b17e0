import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import {
  maxDomains,
  type CampaignDomain,
  type Domain,
  type DomainCheck,
  DomainDetails,
} from '@reachout/contract/domains.ts';
import { domainCheckKinds, type DomainCheckKind } from '@reachout/contract/states/domain.ts';
import { newId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import { createSecrets } from '../../platform/secrets.ts';
import { countAccountEmails, nextAccountEmail } from '../../testing/account-mail.ts';
import { signInGuest } from '../../testing/actors.ts';
import { createTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { buildBrand, buildCampaign, buildClient, buildOrganization } from '../../sample/records.ts';
import { startDnsServer, type DnsServer } from '../../testing/dns-server.ts';
import { domainConfig, installationZone, publish, withdraw } from '../../testing/domain-zone.ts';
import { insertRows } from '../../sample/rows.ts';
import { getRow, listRows, updateRows } from '../../testing/rows.ts';
import { testSecretKey, testSecrets } from '../../testing/test-secrets.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { assertColumn } from '../../testing/assert-column.ts';

interface Place {
  organization_id: string;
  owner: Person;
}

type Checked = DomainDetails['checks']['dkim'] & { domainId: string; status: Domain['status'] };
type CheckPath = 'dkim' | 'spf' | 'dmarc';

const hour = 3_600_000;
const day = 24 * hour;

suite('sending domains', () => {
  const zone = installationZone();
  let dns: DnsServer;
  let app: TestApp;
  let logged = '';
  let place: Place;
  let other: Place;

  before(async () => {
    dns = await startDnsServer(zone);
    const log = createLog('debug', { write: (line) => void (logged += line) });
    app = await createTestApp({ ...domainConfig, dnsServers: [dns.address] }, { log });
    place = await newPlace();
    other = await newPlace();
  });
  after(async () => {
    await app.close();
    dns.close();
  });

  async function newPlace(): Promise<Place> {
    const { id } = await buildOrganization(app.owner);
    return { organization_id: id, owner: await app.signInMember(id, 'owner') };
  }

  let lastName = 0;
  const newName = () => `shop${(lastName += 1)}.example`;

  const create = (of: Place, body: object) =>
    of.owner.request<DomainDetails>('POST', '/api/domains', { organization_id: of.organization_id, ...body });
  async function add(of: Place, domain = newName(), more: object = {}): Promise<DomainDetails> {
    const { status, body } = await create(of, { domain, ...more });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }
  const get = async (of: Place, id: string) => await of.owner.ok<DomainDetails>('GET', `/api/domains/${id}`);
  async function check(of: Place, id: string, kind: CheckPath = 'dkim'): Promise<Checked> {
    const body = await of.owner.ok<Checked>('GET', `/api/domains/${kind}/${id}`);
    assert.equal(body.domainId, id);
    return body;
  }
  /** Lets time pass for the checks of a domain. */
  const letPass = (domain_id: string, ms: number) => {
    const by = sql`${ms} * interval '1 millisecond'`;
    return updateRows(
      app.owner,
      'sending_domain_checks',
      { domain_id },
      {
        started_at: sql`started_at - ${by}`,
        failing_since: sql`failing_since - ${by}`,
      },
    );
  };
  const checkAgain = async (of: Place, id: string, kind?: CheckPath, ms = 10_000) => {
    await letPass(id, ms);
    return await check(of, id, kind);
  };
  async function checkAll(of: Place, id: string): Promise<DomainDetails> {
    await letPass(id, 10_000);
    for (const kind of ['dkim', 'spf', 'dmarc'] as const) await check(of, id, kind);
    return await get(of, id);
  }
  async function addVerified(of: Place, domain = newName(), more: object = {}): Promise<DomainDetails> {
    const added = await add(of, domain, more);
    publish(zone, added);
    const details = await checkAll(of, added.id);
    assert.equal(details.status, 'verified', JSON.stringify(details.checks));
    return details;
  }
  const actionsOn = async (record_id: string) => {
    const entries = await listRows(app.owner, 'audit_log', ['id', 'action'], { record_id });
    return entries.toSorted((one, next) => one.id.localeCompare(next.id)).map(({ action }) => action);
  };

  test('a domain is verified once its records are published', async () => {
    const domain = newName();
    const added = await add(place, domain.toUpperCase());
    assert.deepEqual([added.domain, added.status, added.is_taken], [domain, 'pending', false]);
    assert.deepEqual(added.missing_settings, []);
    assert.deepEqual(
      new Set(added.records.map(({ purpose }) => purpose)),
      new Set<DomainCheckKind>(domainCheckKinds),
    );
    assert.ok(Object.values(added.checks).every(({ state }) => state === null));

    const first = await check(place, added.id);
    assert.deepEqual(
      [first.state, first.status, first.advice[0]?.code],
      ['fail', 'pending', 'domain_unknown'],
    );
    publish(zone, added);
    const { checks, status } = await checkAll(place, added.id);
    assert.equal(status, 'verified', JSON.stringify(checks));
    assert.deepEqual(
      [
        checks.dkim.state,
        checks.spf.state,
        checks.return_path.state,
        checks.dmarc.state,
        checks.tracking.state,
      ],
      ['pass', 'pass', 'pass', 'warn', null],
    );
    assertColumn(checks.dkim.found, 'type', ['TXT', 'TXT']);
    assert.notEqual(checks.dkim.passed_at, null);
    assert.equal(checks.dkim.failing_since, null);
    const list = await place.owner.request<{ items: Domain[] }>(
      'GET',
      `/api/domains?organization_id=${place.organization_id}`,
    );
    const item = list.body.items.find(({ id }) => id === added.id);
    assert.deepEqual([item?.status, item?.states.dkim], ['verified', 'pass']);
    assert.deepEqual(await actionsOn(added.id), ['domains.create', 'domains.verified']);
  });

  test('names that nobody or everybody owns are refused (R5.4)', async () => {
    const refused = {
      malformed: 'xn--a.example',
      ip_address: '192.0.2.1',
      single_label: 'localhost',
      public_suffix: 'co.uk',
      free_mail: 'GMX.de',
      own_name: 'news.bounce.reachout.example',
    };
    for (const [reason, domain] of Object.entries(refused)) {
      const response = await create(place, { domain });
      assertProblem(response, 422, 'domain_refused', domain);
      assert.deepEqual((response.body as unknown as { data: object }).data, { reason });
    }
    assertInvalid(await create(place, { domain: '' }), 'domain');
  });

  test('an organization has a name once, and fifty of them', async () => {
    const full = await newPlace();
    const { domain } = await add(full);
    assertProblem(await create(full, { domain: domain.toUpperCase() }), 409, 'domain_exists');
    await insertRows(
      app.owner,
      'sending_domains',
      Array.from({ length: maxDomains - 1 }, (_, n) => ({
        organization_id: full.organization_id,
        id: newId(),
        domain: `n${n}.full.example`,
      })),
    );
    assertProblem(await create(full, { domain: newName() }), 409, 'too_many_records');
  });

  test('a second organization neither adds nor verifies a domain (EML-3)', async () => {
    const domain = newName();
    const theirs = await add(other, domain);
    const ours = await addVerified(place, domain);
    // Our records do not prove the domain to be theirs.
    assert.deepEqual((await check(other, theirs.id)).state, 'fail');
    // Not even their own do, while it is ours.
    publish(zone, theirs);
    assert.equal((await checkAll(other, theirs.id)).checks.dkim.state, 'pass');
    const { status, is_taken } = await get(other, theirs.id);
    assert.deepEqual([status, is_taken], ['pending', true]);
    assertProblem(await create(await newPlace(), { domain }), 409, 'domain_taken');
    const { status: deleted } = await place.owner.request('DELETE', `/api/domains/${ours.id}`);
    assert.equal(deleted, 200);
    assert.equal((await checkAll(other, theirs.id)).status, 'verified');
  });

  test('the same check starts once in ten seconds (R5.3)', async () => {
    const { id, domain } = await add(place);
    const queried = () => dns.queries.filter((query) => query.includes(domain)).length;
    await check(place, id);
    const queries = queried();
    assert.ok(queries > 0);
    const again = await Promise.all(Array.from({ length: 3 }, () => check(place, id)));
    assertColumn(again, 'state', ['fail', 'fail', 'fail']);
    assert.equal(queried(), queries);
    await check(place, id, 'dmarc');
    assert.ok(queried() > queries, 'another check starts at once');
    const ofBoth = queried();
    // Together ten seconds; a busy machine may take some of the others for the requests before.
    await checkAgain(place, id, 'dkim', 5_000);
    assert.equal(queried(), ofBoth);
    await checkAgain(place, id, 'dkim', 5_000);
    assert.ok(queried() > ofBoth);
  });

  test('a domain fails after three failures over six hours (R5.3)', async () => {
    const { id, domain } = await addVerified(place);
    withdraw(zone, domain);
    for (let count = 0; count < 4; count += 1)
      assert.deepEqual((await checkAgain(place, id)).status, 'verified', 'within a minute');
    assert.equal((await checkAgain(place, id, 'dkim', 6 * hour)).status, 'failing');
    assert.deepEqual((await actionsOn(id)).at(-1), 'domains.failing');
  });

  test('two failures are no reason, however far apart', async () => {
    const { id, domain } = await addVerified(place);
    withdraw(zone, domain);
    await checkAgain(place, id);
    assert.equal((await checkAgain(place, id, 'dkim', day)).status, 'verified');
    assert.equal((await checkAgain(place, id)).status, 'failing');
  });

  async function addFailing(of: Place): Promise<DomainDetails> {
    const details = await addVerified(of);
    withdraw(zone, details.domain);
    for (const ms of [10_000, 10_000, 6 * hour]) await checkAgain(of, details.id, 'dkim', ms);
    assert.equal((await get(of, details.id)).status, 'failing');
    return details;
  }

  test('owners get one email when a domain fails', async () => {
    const alone = await newPlace();
    const { userId } = await app.signInMember(alone.organization_id, 'admin');
    const details = await addFailing(alone);
    await checkAgain(alone, details.id);
    assert.equal(await countAccountEmails(app, alone.owner.email), 1);
    const { email } = await getRow(app.owner, 'users', ['email'], { id: userId });
    assert.equal(await countAccountEmails(app, email), 0);
    const { content } = await nextAccountEmail(app, alone.owner.email);
    assert.match(JSON.stringify(content), new RegExp(details.domain.replaceAll('.', String.raw`\.`)));
    // It passes, and fails again.
    publish(zone, details);
    assert.equal((await checkAgain(alone, details.id)).status, 'verified');
    withdraw(zone, details.domain);
    for (const ms of [10_000, 10_000, 6 * hour]) await checkAgain(alone, details.id, 'dkim', ms);
    assert.equal(await countAccountEmails(app, alone.owner.email), 1);
  });

  test('temporary errors change neither state nor status (R5.1)', async () => {
    const { id, domain, records } = await addVerified(place);
    zone[`r1._domainkey.${domain}`] = 'SERVFAIL';
    for (const ms of [10_000, 10_000, 10_000, 7 * hour]) {
      const { state, verdict, status, failing_since } = await checkAgain(place, id, 'dkim', ms);
      assert.deepEqual(
        [state, verdict, status, failing_since],
        ['pass', 'temporary_error', 'verified', null],
      );
    }
    // Nor do they end a row of failures.
    withdraw(zone, domain);
    for (const ms of [10_000, 10_000]) await checkAgain(place, id, 'dkim', ms);
    zone[`r1._domainkey.${domain}`] = 'SERVFAIL';
    assert.equal((await checkAgain(place, id, 'dkim', 7 * hour)).state, 'fail');
    withdraw(zone, domain);
    assert.equal((await checkAgain(place, id)).status, 'failing');
    publish(zone, { domain, records });
    assert.equal((await checkAgain(place, id)).status, 'verified');
  });

  test('after 30 days of failing, another organization can verify the name', async () => {
    const { id, domain } = await addFailing(place);
    assert.equal((await checkAgain(place, id, 'dkim', 29 * day)).status, 'failing');
    assertProblem(await create(other, { domain }), 409, 'domain_taken');
    assert.equal((await checkAgain(place, id, 'dkim', day)).status, 'pending');
    assert.deepEqual((await actionsOn(id)).at(-1), 'domains.released');
    await addVerified(other, domain);
    const { status, is_taken } = await get(place, id);
    assert.deepEqual([status, is_taken], ['pending', true]);
  });

  test('guests see and check domains of their clients alone (TEN-9)', async () => {
    const { organization_id } = place;
    const [mine, elsewhere] = [
      await buildClient(app.owner, { organization_id }),
      await buildClient(app.owner, { organization_id }),
    ];
    const guest = await signInGuest(app, organization_id, [mine.id]);
    const visible = await add(place, newName(), { client_id: mine.id });
    const hidden = [await add(place, newName(), { client_id: elsewhere.id }), await add(place)];
    const as = guest;
    const list = await as.request<{ items: Domain[]; count: number }>(
      'GET',
      `/api/domains?organization_id=${organization_id}`,
    );
    assertColumn(list.body.items, 'id', [visible.id]);
    for (const { id, domain } of hidden) {
      for (const path of [`/api/domains/${id}`, `/api/domains/dkim/${id}`, `/api/domains/spf/${id}`])
        assertProblem(await as.request('GET', path), 404, 'not_found', path);
      assert.ok(dns.queries.every((query) => !query.includes(domain)));
    }
    publish(zone, visible);
    for (const kind of ['dkim', 'spf', 'dmarc']) {
      await as.ok<Checked>('GET', `/api/domains/${kind}/${visible.id}`);
    }
    assert.equal((await get(place, visible.id)).status, 'verified', 'whoever may read checks');
    for (const [method, body] of [['DELETE'], ['PATCH', { destination: null }]] as const)
      assertProblem(await as.request(method, `/api/domains/${visible.id}`, body), 403, 'forbidden');
  });

  test('checks of one person leave others a free resolver (RATE-1)', async () => {
    const busy = await newPlace();
    const { organization_id } = busy;
    await add(busy);
    const rows = Array.from({ length: 30 }, (_, n) => ({
      organization_id,
      id: newId(),
      domain: `busy${n}.example`,
    }));
    await insertRows(app.owner, 'sending_domains', rows);
    await insertRows(
      app.owner,
      'sending_domain_checks',
      rows.flatMap(({ id }) => domainCheckKinds.map((kind) => ({ organization_id, domain_id: id, kind }))),
    );
    const names = rows.flatMap(({ domain }) => [
      `r1._domainkey.${domain}`,
      `r2._domainkey.${domain}`,
      domain,
    ]);
    for (const name of names) zone[name] = 'silent';
    let refused = 0;
    const all = rows.map(async ({ id }) => {
      const { status } = await busy.owner.request('GET', `/api/domains/dkim/${id}`);
      assert.ok([200, 503].includes(status), String(status));
      if (status === 503) refused += 1;
      return status;
    });
    await waitUntil('the others are refused', () => Promise.resolve(refused === 8));
    const asked = () =>
      rows.filter(({ domain }) => dns.queries.some((query) => query.includes(domain))).length;
    assert.equal(asked(), 2);
    assert.equal((await addVerified(other)).status, 'verified');
    assert.equal(asked(), 2, 'while these wait');
    for (const name of names) delete zone[name];
    await Promise.all(all);
    assert.match(logged, /"bound":"checks of domains of one person"/);
  });

  suite('keys', () => {
    interface Rotated {
      step: 'switched' | 'replaced';
      keys: { selector: string; is_signing: boolean; signed_until: string | null }[];
      data?: { until?: string; domains?: string[]; count?: number };
    }
    const rotate = ({ organization_id, owner }: Place) =>
      owner.request<Rotated>('POST', '/api/domains/keys/rotate', { organization_id });
    const signingOf = ({ body }: { body: Rotated }) =>
      body.keys.find(({ is_signing }) => is_signing)?.selector;

    test('keys change without a gap (R4.6)', async () => {
      const at = await newPlace();
      assertProblem(await rotate(at), 404, 'not_found');
      const details = await addVerified(at);
      const next = `r2._domainkey.${details.domain}`;
      const published = zone[next];
      delete zone[next];
      assert.deepEqual((await checkAgain(at, details.id)).state, 'warn');
      const early = await rotate(at);
      assertProblem(early, 409, 'key_not_published');
      assert.deepEqual(early.body.data, { domains: [details.domain], count: 1 });
      zone[next] = published!;
      await checkAgain(at, details.id);
      const switched = await rotate(at);
      assert.deepEqual([switched.status, switched.body.step, signingOf(switched)], [200, 'switched', 'r2']);

      const tooEarly = await rotate(at);
      assertProblem(tooEarly, 409, 'key_in_use');
      assert.ok(Date.parse(tooEarly.body.data!.until!) > Date.now() + 6 * day);
      await updateRows(
        app.owner,
        'dkim_keys',
        { organization_id: at.organization_id, selector: 'r1' },
        { signed_until: sql`signed_until - interval '7 days'` },
      );
      const replaced = await rotate(at);
      assert.deepEqual([replaced.status, replaced.body.step, signingOf(replaced)], [200, 'replaced', 'r2']);
      const renewed = await get(at, details.id);
      const keyOf = ({ records }: DomainDetails, selector: string) =>
        records.find(({ name }) => name.startsWith(`${selector}.`))?.value;
      assert.notEqual(keyOf(renewed, 'r1'), keyOf(details, 'r1'));
      assert.equal(keyOf(renewed, 'r2'), keyOf(details, 'r2'));
      assertProblem(await rotate(at), 409, 'key_not_published');
      publish(zone, renewed);
      await checkAgain(at, details.id);
      assert.equal(signingOf(await rotate(at)), 'r1');
    });

    test('organizations share no keys', async () => {
      const [one, two] = [await add(await newPlace()), await add(await newPlace())];
      const keys = [one, two].flatMap(({ records }) =>
        records.filter(({ purpose }) => purpose === 'dkim').map(({ value }) => value),
      );
      assert.equal(new Set(keys).size, 4);
    });

    test('concurrent first domains of an organization have the same keys', async () => {
      const at = await newPlace();
      const added = await Promise.all([add(at), add(at), add(at)]);
      const keysOf = ({ id }: DomainDetails) =>
        get(at, id).then(({ records }) =>
          records
            .filter(({ purpose }) => purpose === 'dkim')
            .map(({ value }) => value)
            .join(),
        );
      assert.equal(new Set(await Promise.all(added.map(keysOf))).size, 1);
    });

    test('private keys are sealed, and leave in nothing (SEC-1, SEC-2)', async () => {
      const at = await newPlace();
      const details = await addVerified(at);
      const { organization_id } = at;
      const [r1] = await listRows(app.owner, 'dkim_keys', '*', { organization_id, selector: 'r1' });
      const sealedAt = {
        table: 'dkim_keys',
        column: 'private_key',
        id: 'r1',
        organizationId: organization_id,
      };
      const pem = testSecrets.open(sealedAt, r1!.private_key);
      assert.match(pem, /^-----BEGIN PRIVATE KEY-----/);
      const r2 = await getRow(app.owner, 'dkim_keys', ['private_key'], { organization_id, selector: 'r2' });
      assert.throws(() => testSecrets.open(sealedAt, r2.private_key), 'moved to another row');
      assert.throws(() => testSecrets.open({ ...sealedAt, organizationId: newId() }, r1!.private_key));
      const changed = createSecrets('another-key-of-the-installation-0123456789', [testSecretKey]);
      assert.equal(changed.open(sealedAt, r1!.private_key), pem);

      const switched = await rotate(at);
      const list = `/api/domains?organization_id=${organization_id}`;
      const seen = [
        details,
        switched.body,
        (await at.owner.request('GET', list)).body,
        (await at.owner.request('GET', '/api/me/export')).body,
        await listRows(app.owner, 'audit_log', '*', { organization_id }),
        logged,
      ].map((part) => JSON.stringify(part));
      assert.ok(seen[0]!.includes(r1!.public_key), 'the public one is shown');
      const line = pem.split('\n')[3]!;
      for (const part of seen)
        for (const secret of ['PRIVATE KEY', 'private_key', r1!.private_key, line])
          assert.ok(!part.includes(secret), part.slice(0, 200));
    });
  });

  suite('domains of campaigns', () => {
    async function buildCampaignOf({ organization_id }: Place) {
      const client = await buildClient(app.owner, { organization_id });
      const brand = await buildBrand(app.owner, { client_id: client.id });
      const campaign = await buildCampaign(app.owner, { brand_id: brand.id });
      return { client_id: client.id, brand_id: brand.id, campaign_id: campaign.id };
    }
    const available = async (of: Place, campaign_id: string) =>
      (await of.owner.ok<Domain[]>('POST', '/api/rpc/get_available_domains', { campaign_id })).map(
        ({ domain }) => domain,
      );
    const link = (of: Place, campaign_id: string, domain_ids: string[]) =>
      of.owner.request<CampaignDomain[]>('PUT', `/api/campaigns/${campaign_id}/domains`, { domain_ids });
    const linked = async (of: Place, campaign_id: string) =>
      (await of.owner.ok<CampaignDomain[]>('GET', `/api/campaigns/${campaign_id}/domains`)).map(
        ({ domain }) => domain.domain,
      );

    test('campaigns link verified domains that their brand can use', async () => {
      const at = await newPlace();
      const { client_id, brand_id, campaign_id } = await buildCampaignOf(at);
      const elsewhere = await buildCampaignOf(at);
      const names = ['zebra', 'ant', 'mole'].map((name) => `${name}.${newName()}`);
      const [ofAll, ofBrand, ofClient] = [
        await addVerified(at, names[0]),
        await addVerified(at, names[1], { brand_id }),
        await addVerified(at, names[2], { client_id }),
      ];
      const pending = await add(at);
      const foreign = await addVerified(at, newName(), { client_id: elsewhere.client_id });
      const theirs = await addVerified(other);
      assert.deepEqual(await available(at, campaign_id), names.toSorted());

      for (const { id } of [pending, foreign, theirs])
        assertInvalid(await link(at, campaign_id, [ofAll.id, id]), 'domain_ids');
      assert.deepEqual(await linked(at, campaign_id), []);
      const { status } = await link(at, campaign_id, [ofAll.id, ofBrand.id, ofBrand.id, ofClient.id]);
      assert.equal(status, 200);
      assert.deepEqual(await linked(at, campaign_id), names.toSorted());
      await link(at, campaign_id, [ofBrand.id, ofClient.id]);
      assert.deepEqual(await linked(at, campaign_id), [names[1], names[2]]);
    });

    test('a linked domain that fails can stay, and none like it is added', async () => {
      const at = await newPlace();
      const { campaign_id } = await buildCampaignOf(at);
      const { id, domain } = await addVerified(at);
      await link(at, campaign_id, [id]);
      await updateRows(app.owner, 'sending_domains', { id }, { status: 'failing' });
      assert.equal((await link(at, campaign_id, [id])).status, 200);
      assert.deepEqual(await linked(at, campaign_id), [domain]);
      assert.deepEqual(await available(at, campaign_id), []);
      await link(at, campaign_id, []);
      assertInvalid(await link(at, campaign_id, [id]), 'domain_ids');
    });

    test('another owner or a deletion removes the links', async () => {
      const at = await newPlace();
      const [here, there] = [await buildCampaignOf(at), await buildCampaignOf(at)];
      const [moved, deleted] = [await addVerified(at), await addVerified(at)];
      for (const { campaign_id } of [here, there]) await link(at, campaign_id, [moved.id, deleted.id]);
      await at.owner.ok('PATCH', `/api/domains/${moved.id}`, { client_id: here.client_id });
      await at.owner.request('DELETE', `/api/domains/${deleted.id}`);
      assert.deepEqual(await linked(at, here.campaign_id), [moved.domain]);
      assert.deepEqual(await linked(at, there.campaign_id), []);
      assert.deepEqual(
        await listRows(app.owner, 'sending_domain_checks', ['kind'], { domain_id: deleted.id }),
        [],
      );
    });
  });
});

suite('sending domains without settings of the operator', () => {
  let app: TestApp;
  before(async () => {
    app = await createTestApp();
  });
  after(() => app.close());

  test('checks that need a setting name it', async () => {
    const { id: organization_id } = await buildOrganization(app.owner);
    const as = await app.signInMember(organization_id, 'owner');
    const added = await as.ok<DomainDetails>('POST', '/api/domains', {
      organization_id,
      domain: 'shop.example',
    });
    assert.deepEqual(added.missing_settings, ['PUBLIC_URL', 'BOUNCE_DOMAIN', 'SPF_INCLUDE', 'DMARC_REPORTS']);
    assertColumn(added.records, 'purpose', ['dkim', 'dkim']);
    for (const [kind, settings] of Object.entries({
      spf: ['BOUNCE_DOMAIN', 'SPF_INCLUDE'],
      dmarc: ['DMARC_REPORTS'],
      tracking: ['PUBLIC_URL'],
    })) {
      const { status, body } = await as.request<DomainCheck & { domainId: string }>(
        'GET',
        `/api/domains/${kind}/${added.id}`,
      );
      assert.deepEqual([status, body.domainId, body.state, body.verdict], [200, added.id, null, null]);
      assert.deepEqual(body.advice, [
        { code: 'settings_missing', params: { settings: settings.join(', ') } },
      ]);
    }
  });
});

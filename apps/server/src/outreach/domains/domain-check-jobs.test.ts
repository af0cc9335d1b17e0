import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import type { DomainDetails } from '@reachout/contract/domains.ts';
import { createCheckRunner } from '../../email/domains/run-check.ts';
import { execute } from '../../platform/database/database.ts';
import { createTestApp, type TestApp } from '../../testing/app.ts';
import { buildClient, buildOrganization } from '../../sample/records.ts';
import { startDnsServer, type DnsServer } from '../../testing/dns-server.ts';
import { domainConfig, installationZone, publish } from '../../testing/domain-zone.ts';
import { startJobWorker } from '../../testing/job-worker.ts';
import { getRow, listRows, updateRows } from '../../testing/rows.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { handleDomainChecks } from './domain-check-jobs.ts';

suite('jobs that check domains', () => {
  const zone = installationZone();
  let dns: DnsServer;
  let app: TestApp;

  before(async () => {
    dns = await startDnsServer(zone);
    app = await createTestApp({ ...domainConfig, dnsServers: [dns.address] });
  });
  after(async () => {
    await app.close();
    dns.close();
  });

  async function add(domain: string): Promise<DomainDetails> {
    const { id: organization_id } = await buildOrganization(app.owner);
    const as = await app.signInMember(organization_id, 'owner');
    return await as.ok<DomainDetails>('POST', '/api/domains', { organization_id, domain });
  }

  /** Runs the job until this is so, and looks before it stops. */
  async function workUntil(
    what: string,
    isSo: () => Promise<boolean>,
    look: () => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    const { db, log, outbound } = app.services;
    const runCheck = createCheckRunner([dns.address]);
    await execute(app.owner)`update jobs set due_at = now() where kind = 'domain_checks' and state = 'open'`;
    const worker = startJobWorker(app, [
      handleDomainChecks({ db, log, outbound, runCheck, installation: app.services.config }),
    ]);
    try {
      await waitUntil(what, isSo);
      await look();
    } finally {
      await worker.stop();
    }
  }

  const rowOf = (id: string) => getRow(app.owner, 'sending_domains', ['status', 'next_check_at'], { id });
  const isVerified = async (id: string) => (await rowOf(id)).status === 'verified';
  const minutesUntilNext = async (id: string) =>
    Math.round((Date.parse((await rowOf(id)).next_check_at) - Date.now()) / 60_000);
  /** Lets the domain be due, created so many hours ago, and runs the job until its next check is planned. */
  async function planAfter(id: string, hours: number, more: { fails_count?: number } = {}): Promise<number> {
    await updateRows(
      app.owner,
      'sending_domains',
      { id },
      {
        created_at: sql`now() - make_interval(hours => ${hours})`,
        next_check_at: sql`now() - interval '1 second'`,
      },
    );
    await updateRows(
      app.owner,
      'sending_domain_checks',
      { domain_id: id, kind: 'dkim' },
      { fails_count: 0, ...more },
    );
    await workUntil(
      'the next check is planned',
      async () => Date.parse((await rowOf(id)).next_check_at) > Date.now(),
    );
    return await minutesUntilNext(id);
  }

  test('a domain is verified without a request once its records are published', async () => {
    const details = await add('shop.example');
    publish(zone, details);
    await workUntil('it is verified', () => isVerified(details.id));
    const entries = await listRows(app.owner, 'audit_log', ['user_id'], {
      record_id: details.id,
      action: 'domains.verified',
    });
    assert.deepEqual(entries, [{ user_id: null }]);
  });

  test('new domains are checked more often than old ones (R5.3)', async () => {
    const { id } = await add('plans.example');
    assert.equal(await planAfter(id, 0), 5);
    assert.equal(await planAfter(id, 2), 60);
    assert.equal(await planAfter(id, 71), 60);
    assert.equal(await planAfter(id, 73), 24 * 60);
    await updateRows(app.owner, 'sending_domains', { id }, { status: 'verified' });
    assert.equal(await planAfter(id, 73, { fails_count: 1 }), 60);
  });

  test('domains of suspended organizations rest', async () => {
    const [resting, other] = [await add('resting.example'), await add('other.example')];
    await updateRows(app.owner, 'organizations', { id: resting.organization_id }, { status: 'suspended' });
    publish(zone, resting);
    publish(zone, other);
    await workUntil('the other one is verified', () => isVerified(other.id));
    assert.ok(dns.queries.every((query) => !query.includes('resting.example')));
  });

  test('a domain of a deleted client or organization is free for others', async () => {
    const ofClient = await add('deleted-client.example');
    const ofOrganization = await add('deleted-organization.example');
    const all = [ofClient, ofOrganization];
    for (const details of all) publish(zone, details);
    const areVerified = async () => (await Promise.all(all.map(({ id }) => isVerified(id)))).every(Boolean);
    await workUntil('both are verified', areVerified);
    const { organization_id } = ofClient;
    const client = await buildClient(app.owner, { organization_id, deleted: true });
    await updateRows(app.owner, 'sending_domains', { id: ofClient.id }, { client_id: client.id });
    await updateRows(app.owner, 'organizations', { id: ofOrganization.organization_id }, { deleted: true });
    for (const { id } of all)
      await updateRows(app.owner, 'sending_domains', { id }, { next_check_at: sql`now()` });
    await workUntil('both are released', async () =>
      (await Promise.all(all.map(({ id }) => rowOf(id)))).every(({ status }) => status === 'pending'),
    );
  });

  test('a silent resolver delays no other domain', async () => {
    const silent: string[] = [];
    const names: string[] = [];
    for (const domain of ['silent1.example', 'silent2.example', 'silent3.example']) {
      silent.push((await add(domain)).id);
      names.push(domain, `r1._domainkey.${domain}`, `r2._domainkey.${domain}`);
    }
    for (const name of names) zone[name] = 'silent';
    const details = await add('talking.example');
    publish(zone, details);
    await workUntil(
      'the one with a resolver is verified',
      () => isVerified(details.id),
      async () => {
        for (const domain_id of silent) {
          const where = { domain_id, kind: 'dkim' as const };
          const check = await getRow(app.owner, 'sending_domain_checks', ['started_at', 'checked_at'], where);
          assert.deepEqual([check.started_at !== null, check.checked_at], [true, null], 'begun and open');
        }
        for (const name of names) delete zone[name];
      },
    );
  });
});

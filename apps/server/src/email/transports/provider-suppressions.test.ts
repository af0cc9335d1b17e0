import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { createOutboundClient, outboundLimits } from '../../platform/outbound/outbound-client.ts';
import {
  ownElasticEmail as elastic,
  ownSes as ses,
  startAmazonSes,
  startElasticEmail,
} from '../../testing/provider-servers.ts';
import { TransportCheckError } from './own-transport.ts';
import {
  addProviderUnsubscribes,
  listProviderSuppressions,
  type ProviderSuppression,
} from './provider-suppressions.ts';

async function start<S extends { host: string; endpoints: object; close: () => void }>(
  t: TestContext,
  startIt: () => Promise<S>,
) {
  const server = await startIt();
  const outbound = createOutboundClient([server.host], outboundLimits);
  t.after(async () => {
    await outbound.close();
    server.close();
  });
  return { server, options: { outbound, endpoints: server.endpoints } };
}

async function listAll(...of: Parameters<typeof listProviderSuppressions>): Promise<ProviderSuppression[]> {
  const found: ProviderSuppression[] = [];
  for await (const one of listProviderSuppressions(...of)) found.push(one);
  return found;
}

const addressOf = (seq: number) => `user${seq}@sink.example`;

test('all lists of Elastic Email are read, page by page', async (t) => {
  const { server, options } = await start(t, startElasticEmail);
  const DateUpdated = '2026-11-20T10:15:00';
  server.suppressed['bounces']!.push(
    ...Array.from({ length: 2_000 }, (_, seq) => ({ Email: addressOf(seq), DateUpdated })),
    { Email: 'no address', DateUpdated },
    { Email: 'undated@sink.example', DateUpdated: 'x' },
  );
  server.suppressed['complaints']!.push({ Email: 'Anna@Sink.example', DateUpdated: '2026-11-21T10:15:00Z' });
  server.suppressed['unsubscribes']!.push({ Email: 'old@sink.example', DateUpdated: '2026-11-01T10:15:00' });
  const found = await listAll(elastic, options);
  assert.equal(found.length, 2_002);
  const at = new Date('2026-11-20T10:15:00Z');
  assert.deepEqual(found[1_999], { address: addressOf(1_999), kind: 'bounce', at });
  const late = { address: 'anna@sink.example', kind: 'complaint', at: new Date('2026-11-21T10:15:00Z') };
  assert.deepEqual(found[2_000], late);
  assert.equal(found[2_001]!.kind, 'unsubscribe');
  const since = new Date('2026-11-21T00:00:00Z');
  assert.deepEqual(await listAll(elastic, options, since), [late]);
});

test('the list of Amazon SES is read, page by page', async (t) => {
  const { server, options } = await start(t, startAmazonSes);
  const LastUpdateTime = Date.parse('2026-11-20T10:15:00Z') / 1_000;
  server.suppressed.push(
    ...Array.from({ length: 1_000 }, (_, seq) => ({
      EmailAddress: addressOf(seq),
      Reason: 'BOUNCE' as const,
      LastUpdateTime,
    })),
    { EmailAddress: 'anna@sink.example', Reason: 'COMPLAINT', LastUpdateTime },
  );
  const since = new Date('2026-11-01T00:00:00Z');
  const found = await listAll(ses, options, since);
  assert.equal(found.length, 1_001);
  const at = new Date('2026-11-20T10:15:00Z');
  assert.deepEqual(found[1_000], { address: 'anna@sink.example', kind: 'complaint', at });
  assert.match(server.requests[0]!, /StartDate=2026-11-01T00%3A00%3A00/);
  assert.match(server.requests[0]!, /TenantName=nordwind/);
});

test('a list that never ends is not read for ever', async (t) => {
  const { server, options } = await start(t, startElasticEmail);
  const Email = addressOf(1);
  server.suppressed['bounces'] = Array.from({ length: 101_000 }, () => ({
    Email,
    DateUpdated: '2026-11-20',
  }));
  const found = await listAll(elastic, options);
  assert.ok(found.length <= 100_000);
  assert.ok(server.requests.length <= 102, 'and the other two lists are read');
});

test('Elastic Email learns who unsubscribed, SES cannot', async (t) => {
  const { server, options } = await start(t, startElasticEmail);
  const addresses = Array.from({ length: 1_500 }, (_, seq) => addressOf(seq));
  await addProviderUnsubscribes(elastic, options, addresses);
  assert.deepEqual(
    server.suppressed['unsubscribes']!.map(({ Email }) => Email),
    addresses,
  );
  assert.equal(server.requests.length, 2, '1,000 in a request');
  await addProviderUnsubscribes(ses, options, addresses);
  assert.equal(server.requests.length, 2);
});

test('a provider that refuses is an error with its words', async (t) => {
  const ofElastic = await start(t, startElasticEmail);
  const keyless = { ...elastic, secret: null };
  const isRefused = (error: unknown) =>
    error instanceof TransportCheckError && error.words === 'APIKey Expired';
  await assert.rejects(listAll(keyless, ofElastic.options), isRefused);
  await assert.rejects(addProviderUnsubscribes(keyless, ofElastic.options, [addressOf(1)]), isRefused);
  const { server, options } = await start(t, startAmazonSes);
  server.isRevoked = true;
  await assert.rejects(listAll(ses, options), TransportCheckError);
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createLog } from '../../platform/log.ts';
import { findMarker } from '../../testing/find-marker.ts';
import {
  addTransport,
  buildOwner,
  listRecipients,
  startSend,
  transportSecrets,
  useTransports,
  waitForSend,
} from '../../testing/transport-fixture.ts';

suite('secrets of transports', () => {
  let lines = '';
  const fixture = useTransports({ log: createLog('trace', { write: (line) => void (lines += line) }) });
  const signing = 'whsec_canary-6a3e';

  test('secrets are in no log, response, audit entry, error, export or row (SEC-1, SEC-2)', async () => {
    const { app, elastic, ses, smtp } = fixture;
    const shown: unknown[] = [];
    for (const kind of ['elastic_email', 'ses', 'smtp'] as const) {
      const owner = await buildOwner(fixture, 2);
      const { person, organizationId } = owner;
      const path = `/api/organizations/${organizationId}/transports`;
      const more = kind === 'elastic_email' ? { webhook_secret: signing } : {};
      const transport = await addTransport(fixture, owner, kind, more);
      // Providers and servers that repeat in their words what they were given.
      const secret = transportSecrets[kind];
      elastic.script = [{ reject: `APIKey ${secret} is wrong` }];
      ses.script = [{ reject: `The key ${secret} is wrong` }];
      smtp.refuse = () => ({ code: 450, text: `4.3.0 ${secret} is wrong` });
      const send = await startSend(owner);
      const ended = await waitForSend(fixture, owner, send, 'all was tried', async () =>
        (await listRecipients(owner, send)).every(({ attempts }) => attempts > 0),
      );
      smtp.refuse = () => undefined;
      shown.push(ended, await listRecipients(owner, send));
      shown.push(await person.request('POST', `${path}/${transport.id}/check`));
      shown.push(
        await person.request('POST', `${path}/${transport.id}/test`, { from: 'news@nordwind.example' }),
      );
      for (const wrong of [
        { secret: `${secret}-wrong` },
        { webhook_secret: 'x'.repeat(10_000) },
        { secret: 1 },
      ])
        shown.push(await person.request('PATCH', `${path}/${transport.id}`, wrong));
      await owner.request('POST', `/sends/${send.id}/cancel`).catch(() => undefined);
      shown.push(await person.request('GET', `/api/sends/${send.id}/deliveries/export`));
      elastic.isRevoked = true;
      const api_key = `${transportSecrets.elastic_email}-wrong`;
      const ofOrganization = `/api/organizations/${organizationId}`;
      shown.push(await person.request('PUT', `${ofOrganization}/elastic_email_key`, { api_key }));
      elastic.isRevoked = false;
      for (const read of ['transports', 'audit_log', 'audit_log/export'])
        shown.push(await person.request('GET', `${ofOrganization}/${read}`));
    }
    const all = JSON.stringify(shown);
    assert.match(all, /is wrong/);
    assert.match(all, /transports\.create/);
    for (const secret of [...Object.values(transportSecrets), signing]) {
      assert.ok(!all.includes(secret), all.slice(Math.max(0, all.indexOf(secret) - 300)).slice(0, 400));
      assert.ok(!lines.includes(secret), lines.slice(Math.max(0, lines.indexOf(secret) - 300)).slice(0, 400));
      assert.deepEqual(await findMarker(app.owner, secret), []);
    }
  });
});

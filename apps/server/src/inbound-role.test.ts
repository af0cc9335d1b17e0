import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { suite, test } from 'node:test';
import { createTransport } from 'nodemailer';
import { createTokenSigner } from './email/links/tokens.ts';
import { startServer } from './main.ts';
import { createBounceHosts } from './outreach/domains/bounce-hosts.ts';
import { readConfig } from './platform/config.ts';
import { deriveKey } from './platform/secret-key.ts';
import { buildOrganization } from './sample/records.ts';
import { insertRows } from './sample/rows.ts';
import { useTestApp } from './testing/app.ts';
import { findFreePort } from './testing/find-free-port.ts';
import { listRows } from './testing/rows.ts';
import { testSecretKey } from './testing/test-secrets.ts';

suite('the role that takes returned mail', () => {
  const app = useTestApp();

  test('it listens, stores mail, and reports its health', async (t) => {
    const [port, healthPort] = [await findFreePort(), await findFreePort()];
    const config = readConfig({
      ROLES: 'inbound',
      SMTP_IN_PORT: String(port),
      HEALTH_PORT: String(healthPort),
      BOUNCE_DOMAIN: 'bounce.reachout.example',
      DATABASE_URL: app.ownerUrl,
      DATABASE_APP_URL: app.appUrl,
      DATABASE_AUTH_URL: app.authUrl,
      SECRET_KEY: testSecretKey,
      DATA_DIR: '/nowhere',
      LOG_LEVEL: 'silent',
    });
    const server = await startServer(config, app.ownerUrl, { isDemoAskedFor: false });
    t.after(() => server.stop());
    const ready = await fetch(`http://127.0.0.1:${healthPort}/ready`);
    assert.equal(ready.status, 200);
    assert.deepEqual(((await ready.json()) as { inbound: unknown }).inbound, { is_listening: true });

    const signer = createTokenSigner(deriveKey(testSecretKey, 'message tokens'));
    const mailbox = `b.${signer.sign({ sendNumber: 1, seq: 1 }).return_path}`;
    const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
    await transport.sendMail({
      envelope: { from: '', to: `${mailbox}@bounce.reachout.example` },
      from: 'mailer-daemon@mx.example',
      to: 'nobody@bounce.reachout.example',
      text: 'It failed.',
    });
    transport.close();
    const [stored, ...more] = await listRows(app.owner, 'returned_mail', ['mailbox', 'raw', 'attempts'], {});
    assert.deepEqual(more, []);
    assert.equal(stored?.mailbox, mailbox);
    assert.match(stored.raw.toString(), /^Return-Path: <>\r\n[^]*It failed\.\r\n$/);
    assert.equal(stored.attempts, 0);

    await assert.rejects(
      startServer(config, app.ownerUrl, { isDemoAskedFor: false }),
      /SMTP_IN_PORT: nothing can listen/,
    );
  });

  test('hosts of domains that are or were verified take returned mail', async () => {
    for (const status of ['pending', 'verified', 'failing'] as const) {
      const { id: organization_id } = await buildOrganization(app.owner);
      const domain = `${status}.example`;
      await insertRows(app.owner, 'sending_domains', { organization_id, id: randomUUID(), domain, status });
    }
    const isBounceHost = createBounceHosts(app.services.trackingPipelined, 'returned.reachout.example');
    for (const [host, isTaken] of [
      ['returned.reachout.example', true],
      ['bounce.verified.example', true],
      ['bounce.failing.example', true],
      ['bounce.pending.example', false],
      ['verified.example', false],
      ['click.verified.example', false],
      ['', false],
    ] as const)
      for (const time of ['looked up', 'known'])
        assert.equal(await isBounceHost(host), isTaken, `${time} ${host}`);
  });
});

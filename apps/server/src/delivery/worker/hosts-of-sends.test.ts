import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { DomainCheckState, DomainStatus } from '@reachout/contract/states/domain.ts';
import { createSmtpPool } from '../../email/smtp/smtp-pool.ts';
import type { MailTransport } from '../../email/transports/transport.ts';
import { createSenderPolicies } from '../../outreach/domains/sender-policies.ts';
import { insertRows } from '../../sample/rows.ts';
import { getRow, updateRows } from '../../testing/rows.ts';
import { buildDueSend, type SendFixture } from '../../testing/send-fixture.ts';
import { startSendWorker, useSendDatabase } from '../../testing/send-worker.ts';
import { startSmtpSink, type SmtpSink } from '../../testing/smtp-sink.ts';
import { waitUntil } from '../../testing/wait-until.ts';

const installation = {
  transport: 'smtp',
  // The domain of the fixture; whether it is also verified decides about the hosts.
  senderDomains: ['nordwind.example'],
  dailyRecipientLimit: 1_000,
  bounceDomain: 'bounce.reachout.example',
  publicUrl: 'https://reachout.example',
};
const own = { bounce: 'bounce.nordwind.example', links: 'https://click.nordwind.example' };
const ofInstallation = { bounce: 'bounce.reachout.example', links: 'https://reachout.example' };

suite('hosts that messages name', () => {
  const database = useSendDatabase();
  let sink: SmtpSink;
  let smtp: MailTransport;
  before(async () => {
    sink = await startSmtpSink({ keepMessages: true });
    smtp = createSmtpPool({ url: sink.url, connections: 2 });
  });
  after(async () => {
    await smtp.close();
    await sink.close();
  });

  async function verify(
    { organizationId: organization_id }: SendFixture,
    states: Record<'return_path' | 'tracking', DomainCheckState>,
    status: DomainStatus = 'verified',
  ): Promise<void> {
    // One organization at a time has verified a domain.
    await database.owner.deleteFrom('sending_domains').execute();
    const id = randomUUID();
    await insertRows(database.owner, 'sending_domains', {
      organization_id,
      id,
      domain: 'nordwind.example',
      status,
    });
    for (const kind of ['return_path', 'tracking'] as const)
      await insertRows(database.owner, 'sending_domain_checks', {
        organization_id,
        domain_id: id,
        kind,
        state: states[kind],
      });
  }

  /** Sends all messages, and returns the hosts of each. */
  async function send({ sendId, brandId }: SendFixture, policy = installation) {
    const worker = startSendWorker(database, {
      url: sink.url,
      connections: 2,
      inFlightLimit: 8,
      policies: createSenderPolicies(policy),
      others: { smtp },
    });
    try {
      await waitUntil('the send is completed', async () => {
        const { status } = await getRow(database.owner, 'touchpoint_sends', ['status'], { id: sendId });
        return status === 'completed';
      });
    } finally {
      await worker.stop();
    }
    return sink.taken
      .filter(({ raw }) => raw.includes(brandId))
      .map(({ sender, raw }) => {
        // Links are cut by soft line breaks.
        const text = raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
        const found = new Set(text.match(/https?:\/\/[^/\s"<>]+(?=\/[tupv]\/)/g));
        assert.equal(found.size, 1, [...found].join(' '));
        assert.match(text, /List-Unsubscribe: <https:/);
        assert.match(text, /\/t\/o\//);
        return { bounce: sender.slice(sender.lastIndexOf('@') + 1), links: [...found][0] };
      });
  }
  const hostsOf = ({ sendId }: SendFixture) =>
    getRow(database.owner, 'touchpoint_send_contents', ['bounce_domain', 'public_url'], { send_id: sendId });

  test('those of a verified domain, where its records pass', async () => {
    const due = await buildDueSend(database.owner, { contacts: 2 });
    await verify(due, { return_path: 'pass', tracking: 'pass' });
    assert.deepEqual(await send(due), [own, own]);
    assert.deepEqual(await hostsOf(due), { bounce_domain: own.bounce, public_url: own.links });
  });

  test('links keep to our host unless the tracking check passes (R5.6)', async () => {
    for (const tracking of ['warn', 'fail'] as const) {
      const due = await buildDueSend(database.owner, { contacts: 1 });
      await verify(due, { return_path: 'pass', tracking });
      assert.deepEqual(await send(due), [{ bounce: own.bounce, links: ofInstallation.links }], tracking);
    }
  });

  test('bounces keep to our host unless the return path passes', async () => {
    const due = await buildDueSend(database.owner, { contacts: 1 });
    await verify(due, { return_path: 'fail', tracking: 'pass' });
    assert.deepEqual(await send(due), [{ bounce: ofInstallation.bounce, links: own.links }]);
  });

  test('a domain that is not verified has no hosts', async () => {
    const due = await buildDueSend(database.owner, { contacts: 1 });
    await verify(due, { return_path: 'pass', tracking: 'pass' }, 'pending');
    assert.deepEqual(await send(due), [ofInstallation]);
  });

  test('a send keeps the hosts that it started with', async () => {
    const due = await buildDueSend(database.owner, { contacts: 1 });
    await verify(due, { return_path: 'pass', tracking: 'pass' });
    // As after a worker that has sent others of its messages.
    await updateRows(
      database.owner,
      'touchpoint_send_contents',
      { send_id: due.sendId },
      { bounce_domain: ofInstallation.bounce, public_url: ofInstallation.links },
    );
    assert.deepEqual(await send(due), [ofInstallation]);
  });

  test('messages to the built-in mailbox name no host of a domain', async () => {
    const due = await buildDueSend(database.owner, { contacts: 1 });
    await verify(due, { return_path: 'pass', tracking: 'pass' });
    const ofMailbox = { ...ofInstallation, bounce: 'mailbox.localhost' };
    assert.deepEqual(await send(due, { ...installation, transport: 'mailbox' }), [ofMailbox]);
    assert.deepEqual(await hostsOf(due), { bounce_domain: null, public_url: null });
  });
});

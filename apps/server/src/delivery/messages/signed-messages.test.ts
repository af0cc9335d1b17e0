import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import type { Message } from '@reachout/contract/messages.ts';
import type { Send } from '@reachout/contract/sends.ts';
import { createSigner } from '../../email/dkim/create-signer.ts';
import { verifySignature } from '../../email/dkim/verify-signature.ts';
import { policyForAll, policyOfInstallation } from '../../email/transports/sender-policy.ts';
import { useTestApp } from '../../testing/app.ts';
import { keyRecordOf, makeDkimKey } from '../../testing/dkim-key.ts';
import { startProductWorker } from '../../testing/product-worker.ts';
import { buildReadyEmail, type ReadyEmail } from '../../testing/ready-email.ts';
import { startSmtpSink } from '../../testing/smtp-sink.ts';
import { useOpened } from '../../testing/use-made.ts';
import { waitUntil } from '../../testing/wait-until.ts';

const privateKey = makeDkimKey();

suite('signed messages', () => {
  const app = useTestApp();

  const sink = useOpened(() => startSmtpSink({ keepMessages: true }));

  /** @param findKey  called when a send is loaded */
  const startSigningWorker = (t: TestContext, findKey: () => string) =>
    startProductWorker(
      t,
      app,
      sink,
      {},
      {
        ...policyForAll(policyOfInstallation(app.services.config)),
        preparationOf: async (_trx, _organizationId, from) =>
          createSigner({ domain: from.split('@')[1]!, selector: 'r1', privateKey: findKey() }),
      },
    );

  const request = async <T>({ person }: ReadyEmail, method: 'GET' | 'POST', path: string, body?: object) => {
    const response = await app.request<T>(method, path, {
      ...(body === undefined ? {} : { body }),
      as: person,
    });
    assert.ok(response.status < 300, JSON.stringify(response.body));
    return response.body;
  };
  const sendTest = (email: ReadyEmail) =>
    request<Message>(email, 'POST', `/api/touchpoints/emails/${email.touchpointId}/test`, {
      to: email.person.email,
    });
  const waitForResult = (email: ReadyEmail, { id }: Message) =>
    waitUntil('the message has a result', async () => {
      const message = await request<Message>(email, 'GET', `/api/messages/${id}`);
      return message.at === null ? undefined : message;
    });
  const arrivedTo = (address: string) => sink.taken.filter(({ recipient }) => recipient === address);
  const assertSigned = (address: string) => {
    const [taken, ...more] = arrivedTo(address);
    assert.equal(more.length, 0);
    assert.equal(verifySignature(Buffer.from(taken!.raw, 'latin1'), keyRecordOf(privateKey)), undefined);
    return taken!.raw;
  };

  test('a test is signed like the send that it tries (EML-8)', async (t) => {
    const email = await buildReadyEmail(app);
    const message = await sendTest(email);
    startSigningWorker(t, () => privateKey);
    assert.equal((await waitForResult(email, message)).state, 'sent');
    const raw = assertSigned(email.person.email);
    assert.match(raw, /^Auto-Submitted: auto-generated\r$/m);
    assert.match(raw.replaceAll(/\r\n\s+/g, ''), /^DKIM-Signature: .*auto-submitted/);
  });

  test('a test that cannot be signed fails with the reason (EML-8)', async (t) => {
    const email = await buildReadyEmail(app);
    const message = await sendTest(email);
    startSigningWorker(t, () => 'no key');
    const { state, error } = await waitForResult(email, message);
    assert.deepEqual([state, error?.code], ['failed', 'dkim_key_unusable']);
    assert.equal(arrivedTo(email.person.email).length, 0);
  });

  test('a single message waits until it can be signed (EML-8)', async (t) => {
    const email = await buildReadyEmail(app);
    const active = await request<Send>(email, 'POST', `/api/touchpoints/${email.touchpointId}/sends`, {
      kind: 'triggered',
    });
    const to = `waits-${email.organizationId}@sink.example`;
    const { organizationId: organization_id, touchpointId: touchpoint_id } = email;
    const message = await request<Message>(email, 'POST', '/api/messages', {
      organization_id,
      touchpoint_id,
      to,
    });
    let key = 'no key';
    startSigningWorker(t, () => key);
    const send = await waitUntil('the send pauses', async () => {
      const found = await request<Send>(email, 'GET', `/api/sends/${active.id}`);
      return found.status === 'paused' ? found : undefined;
    });
    assert.equal(send.error?.code, 'dkim_key_unusable');
    assert.match(send.error_content ?? '', /^Messages from nordwind\.example can’t be signed/);
    assert.equal((await request<Message>(email, 'GET', `/api/messages/${message.id}`)).state, 'queued');
    assert.equal(arrivedTo(to).length, 0);

    key = privateKey;
    await request(email, 'POST', `/api/sends/${active.id}/resume`);
    const { state, attempts } = await waitForResult(email, message);
    assert.deepEqual([state, attempts], ['sent', 1]);
    assert.doesNotMatch(assertSigned(to), /^Auto-Submitted:/m);
  });
});

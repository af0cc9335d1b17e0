import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { enqueueAccountEmail } from './identity/account-email/enqueue-account-email.ts';
import { connect, transactionAs } from './platform/database/database.ts';
import { buildUser } from './testing/builders.ts';
import { startFaultyRelay } from './testing/faulty-relay.ts';
import { openSendDatabase } from './testing/send-worker.ts';
import { waitUntil } from './testing/wait-until.ts';
import { startWatchedSend } from './testing/watched-send.ts';
import { startWorker } from './worker.ts';

test('an account email leaves while sends hold all of their connections', async () => {
  const database = await openSendDatabase();
  const authDb = connect(database.authUrl, { name: 'sign-in', connections: 1, onError: () => undefined });
  const relay = await startFaultyRelay();
  const gate = Promise.withResolvers<undefined>();
  let held = 0;
  relay.behave = (stage, recipient) => {
    if (stage !== 'message' || !recipient.endsWith('@sink.example') || relay.copies.size <= 10)
      return undefined;
    held += 1;
    return gate.promise;
  };
  const worker = startWorker({
    logins: { appUrl: database.appUrl, authUrl: database.authUrl },
    smtpUrl: relay.url,
    smtpConnections: 2,
    bounceDomain: 'reachout.example',
    relay: { senderDomains: ['nordwind.example'], dailyRecipientLimit: 1_000 },
    publicUrl: 'https://reachout.example',
    mailFrom: 'reachout@reachout.example',
    secretKey: 'test-key-0123456789-abcdefghijklmnop',
    previousSecretKeys: [],
    dataDir: tmpdir(),
    s3Url: undefined,
    inFlightLimit: 64,
    sendRates: {},
    logLevel: 'silent',
  });
  try {
    const send = await startWatchedSend(database, { contacts: 20 });
    await waitUntil('sends hold their connections', () => held === 2);
    const { email } = await buildUser(database.owner);
    await transactionAs(authDb, {}, (trx) =>
      enqueueAccountEmail(trx, {
        kind: 'already_registered',
        recipient: email,
        language: 'en',
        payload: {},
        validForMs: 600_000,
      }),
    );
    await waitUntil('the account email is there', () => relay.copies.has(email));
    assert.equal(held, 2);
    gate.resolve(undefined);
    assert.equal((await send.finish()).counters.sent, 20);
  } finally {
    gate.resolve(undefined);
    await worker.stop();
    await relay.close();
    await authDb.destroy();
    await database.close();
  }
});

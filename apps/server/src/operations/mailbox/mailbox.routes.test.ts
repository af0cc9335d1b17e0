import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { call, type ORPCError } from '@orpc/server';
import { createTokenSigner } from '../../email/links/tokens.ts';
import { createEmailRenderer } from '../../email/mime/email-renderer.ts';
import type { Database } from '../../platform/database/database.ts';
import { insideContext } from '../../testing/inside-context.ts';
import { newId } from '../../platform/ids.ts';
import { buildMember, buildUser } from '../../sample/records.ts';
import { insertRows } from '../../sample/rows.ts';
import { updateRows } from '../../testing/rows.ts';
import { useSendDatabase } from '../../testing/send-worker.ts';
import { buildSentEmail, type SentEmail } from '../../testing/sent-email.ts';
import { mailboxRoutes } from './mailbox.routes.ts';

suite('mailbox operations', () => {
  const database = useSendDatabase();
  let owner: Database;
  let db: Database;
  let sent: SentEmail;
  let analyst: string;
  let stranger: string;

  before(async () => {
    ({ owner, app: db } = database);
    sent = await buildSentEmail(owner);
    ({ user_id: analyst } = await buildMember(owner, {
      organization_id: sent.organizationId,
      role: 'analyst',
    }));
    ({ user_id: stranger } = await buildMember(owner));
  });

  const as = (userId: string | undefined) => ({ context: insideContext(db, userId) });

  async function store(
    of: SentEmail,
    recipient: string,
    subject: string,
    receivedAt: string,
  ): Promise<string> {
    const id = newId();
    await insertRows(owner, 'mailbox_messages', {
      organization_id: of.organizationId,
      id,
      send_id: of.sendId,
      seq: 1,
      recipient,
      sender: 'b.x@bounce.example',
      subject,
      raw: Buffer.from(`Subject: ${subject}\r\n\r\n${recipient}\r\n`),
      received_at: receivedAt,
    });
    return id;
  }

  const code = (work: Promise<unknown>) =>
    work.then(
      () => 'answered',
      (error: ORPCError<string, unknown>) => error.code,
    );

  test('only members can read the mailbox', async () => {
    const id = await store(sent, 'mia@example.org', 'Hello', '2026-01-01T10:00:00Z');
    const list = { organization_id: sent.organizationId };
    assert.equal(await code(call(mailboxRoutes.list, list, as(undefined))), 'not_signed_in');
    assert.equal(await code(call(mailboxRoutes.get, { id }, as(undefined))), 'not_signed_in');
    assert.equal(await code(call(mailboxRoutes.list, list, as(stranger))), 'not_found');
    assert.equal(await code(call(mailboxRoutes.get, { id }, as(stranger))), 'not_found');
    assert.equal(await code(call(mailboxRoutes.get, { id: newId() }, as(analyst))), 'not_found');
    assert.equal(await code(call(mailboxRoutes.get, { id: 'x' }, as(analyst))), 'not_found');
    const { id: nobody } = await buildUser(owner);
    assert.equal(await code(call(mailboxRoutes.list, list, as(nobody))), 'not_found');
    assert.equal((await call(mailboxRoutes.get, { id }, as(analyst))).recipient, 'mia@example.org');
  });

  test('messages can be filtered and are sorted by time', async () => {
    const own = await buildSentEmail(owner);
    const { user_id: userId } = await buildMember(owner, { organization_id: own.organizationId });
    const second = await buildSentEmail(owner, { organizationId: own.organizationId });
    await store(own, 'anna@example.org', '50% off', '2026-01-01T10:00:00Z');
    await store(own, 'ben@example.org', 'News', '2026-01-03T10:00:00Z');
    await store(second, 'cem@example.org', 'NEWS', '2026-01-02T10:00:00Z');
    const recipients = async (input: object) => {
      const { items, count } = await call(
        mailboxRoutes.list,
        { organization_id: own.organizationId, ...input },
        as(userId),
      );
      return [count, ...items.map(({ recipient }) => recipient.split('@')[0])];
    };
    assert.deepEqual(await recipients({}), [3, 'ben', 'cem', 'anna']);
    assert.deepEqual(await recipients({ page: 1, page_size: 2 }), [3, 'anna']);
    assert.deepEqual(await recipients({ search: 'news' }), [2, 'ben', 'cem']);
    assert.deepEqual(await recipients({ search: 'ANNA@' }), [1, 'anna']);
    assert.deepEqual(await recipients({ search: '%' }), [1, 'anna']);
    assert.deepEqual(await recipients({ search: '_' }), [0]);
    assert.deepEqual(await recipients({ send_id: second.sendId }), [1, 'cem']);
  });

  test('a message is shown with its size', async () => {
    const id = await store(sent, 'mia@example.org', 'Hello', '2026-01-01T10:00:00Z');
    const message = await call(mailboxRoutes.get, { id }, as(analyst));
    assert.equal(message.size_bytes, 'Subject: Hello\r\n\r\nmia@example.org\r\n'.length);
    assert.equal(message.subject, 'Hello');
    assert.equal(message.text?.trim(), 'mia@example.org');
    assert.equal(message.received_at, '2026-01-01T10:00:00.000Z');
  });

  test('links are shown without recipient tokens (LNK-6)', async () => {
    const signer = createTokenSigner(Buffer.alloc(32, 3));
    const publicUrl = 'https://reachout.example';
    const { message, envelopeFrom } = createEmailRenderer(
      {
        version: 1,
        content_hash: 'x',
        from_name: 'Brand',
        from_email: 'news@brand.example',
        reply_to: null,
        subject: 'News',
        preheader: '',
        html: '<a href="{{ links.click_0 }}">0</a><a href="{{ links.preferences }}">p</a><a href="{{ links.unsubscribe }}">u</a><a href="{{ links.view_in_browser }}">v</a><a href="mailto:?body={{ links.view_in_browser | url_encode }}">m</a>{{ links.pixel }}',
        text: '{{ links.click_0 }} {{ links.preferences }} {{ links.unsubscribe }} {{ links.view_in_browser }}',
        links: [{ url: 'https://shop.example/', personal: false }],
        contact_fields: null,
        context: {},
      },
      {
        publicUrl,
        signer,
        sendNumber: 99,
        messageIdBase: '1f0f7b0e-4a30-4d0a-9c55-0b4f7c2d9e11',
        bounceDomain: 'bounce.example',
        headers: { feedbackId: 'f', listId: '<b1.brand.example>' },
      },
    ).build({ seq: 7, contactId: 'c', address: 'mia@example.org', variables: {} }, new Date());
    const id = await store(sent, 'mia@example.org', 'Tokens', '2026-02-01T10:00:00Z');
    await updateRows(owner, 'mailbox_messages', { id }, { raw: message, sender: envelopeFrom });
    const tokens = (['open', 'click', 'unsubscribe', 'view', 'return_path'] as const).map(
      (purpose) => signer.sign({ sendNumber: 99, seq: 7 })[purpose],
    );
    const input = { organization_id: sent.organizationId, search: 'Tokens' };
    const read = async (userId: string) => ({
      message: await call(mailboxRoutes.get, { id }, as(userId)),
      list: await call(mailboxRoutes.list, input, as(userId)),
    });
    const { user_id: editor } = await buildMember(owner, {
      organization_id: sent.organizationId,
      role: 'editor',
    });
    const whole = JSON.stringify(await read(editor));
    for (const token of tokens) assert.ok(whole.includes(token), token);
    const hidden = await read(analyst);
    for (const token of tokens) assert.ok(!JSON.stringify(hidden).includes(token), token);
    assert.deepEqual(
      hidden.message.links.map(({ url }) => url),
      [
        ...['t/c/hidden.0', 'p/hidden', 'u/hidden', 'v/hidden'].map((path) => `${publicUrl}/${path}`),
        // Such as a link to tell a friend.
        'mailto:?body=https%3A%2F%2Freachout.example%2Fv%2Fhidden',
      ],
    );
    assert.equal(hidden.message.pixel_url, null);
  });
});

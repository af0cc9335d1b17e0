import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import test from 'node:test';
import type { EmailSnapshot } from '../email-content.ts';
import { createShownMessages } from './show-message.ts';
import { TemplateTaskError } from '../templates/template-processes.ts';
import { createTokenSigner } from '../links/tokens.ts';

const publicUrl = 'https://t.brand.example';
const signer = createTokenSigner(Buffer.alloc(32, 7));
const ref = { sendNumber: 99, seq: 7 };
const endless = `${'{% for i in contact.n %}'.repeat(3)}x${'{% endfor %}'.repeat(3)}`;

function show(changes: Partial<EmailSnapshot>) {
  const snapshot: EmailSnapshot = {
    version: 1,
    content_hash: '',
    from_name: 'Brand',
    from_email: 'news@brand.example',
    reply_to: null,
    subject: 'Hello',
    preheader: '',
    html: '<p>Hello</p>',
    text: 'Hello',
    links: [],
    contact_fields: null,
    context: {},
    ...changes,
  };
  return createShownMessages(snapshot, { publicUrl, signer, owner: 'tests' });
}

/** The longest that a timer of this thread came late while `work` was under way, in milliseconds. */
async function longestDelay(work: Promise<unknown>): Promise<number> {
  let isOver = false;
  let longest = 0;
  const over = work.finally(() => (isOver = true));
  // oxlint-disable-next-line no-unmodified-loop-condition -- set above, while this waits
  while (!isOver) {
    const before = performance.now();
    await delay(10);
    longest = Math.max(longest, performance.now() - before - 10);
  }
  await over;
  return longest;
}

test('a message is shown with its own links, signed for this reader', async () => {
  const html = await show({
    html: '{{ contact.name }} {{ links.unsubscribe }} {{ links.click_0 }}',
    links: [{ url: 'https://a.example/{{ contact.name }}', personal: true }],
  }).renderPage(ref, { name: '<Ada>' });
  assert.equal(
    html,
    `&lt;Ada&gt; ${publicUrl}/u/${signer.sign(ref).unsubscribe} https://a.example/%3CAda%3E`,
  );
});

test('TPL-2: a reader whose page or link takes long holds up nobody else', async () => {
  const contact = { n: Array.from({ length: 1_000 }, () => 1) };
  const bombs = show({
    html: endless,
    links: [{ url: `https://a.example/${endless}`, personal: true }],
  });
  // Started beforehand: to start a process takes a moment of this thread.
  await show({}).renderPage(ref, {});
  const page = assert.rejects(bombs.renderPage(ref, contact), TemplateTaskError);
  assert.ok((await longestDelay(page)) < 300);
  const target = bombs.findTarget(contact, 0);
  assert.ok((await longestDelay(target)) < 300);
  assert.equal(await target, undefined);
});

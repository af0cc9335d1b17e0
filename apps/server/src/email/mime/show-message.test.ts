import assert from 'node:assert/strict';
import test from 'node:test';
import { threadCpuMs } from '../../platform/cpu-time.ts';
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

/** @returns the CPU time of this thread during `work` in ms, an upper bound for blocking other requests */
async function measureWork(work: () => Promise<unknown>): Promise<number> {
  const before = threadCpuMs();
  await work();
  return threadCpuMs() - before;
}

test('a shown message has links signed for its reader', async () => {
  const html = await show({
    html: '{{ contact.name }} {{ links.unsubscribe }} {{ links.click_0 }}',
    links: [{ url: 'https://a.example/{{ contact.name }}', personal: true }],
  }).renderPage(ref, { name: '<Ada>' });
  assert.equal(
    html,
    `&lt;Ada&gt; ${publicUrl}/u/${signer.sign(ref).unsubscribe} https://a.example/%3CAda%3E`,
  );
});

test('a shown message has no link to itself', async () => {
  const html = await show({
    html: '<p><a style="x" href="{{ links.view_in_browser }}" class="y">View <b>here</b></a> <a href="{{ links.unsubscribe }}">Bye</a></p> {{ links.view_in_browser }}',
  }).renderPage(ref, {});
  const { unsubscribe, view } = signer.sign(ref);
  assert.equal(html, `<p> <a href="${publicUrl}/u/${unsubscribe}">Bye</a></p> ${publicUrl}/v/${view}`);
});

test('a slow page or link does not delay others (TPL-2)', async () => {
  const contact = { n: Array.from({ length: 1_000 }, () => 1) };
  const bombs = show({ html: endless, links: [{ url: `https://a.example/${endless}`, personal: true }] });
  // Starts the process first, since that takes CPU time of this thread.
  await show({}).renderPage(ref, {});
  const page = () => assert.rejects(bombs.renderPage(ref, contact), TemplateTaskError);
  assert.ok((await measureWork(page)) < 300);
  const target = async () => assert.equal(await bombs.findTarget(contact, 0), undefined);
  assert.ok((await measureWork(target)) < 300);
});

import { readFileSync } from 'node:fs';
import { createTokenSigner } from '../email/links/tokens.ts';
import { RenderError } from '../email/liquid/render-error.ts';
import { createEmailRenderer } from '../email/mime/email-renderer.ts';

// Runs in a separate process to measure the peak memory of building messages: receives templates, builds the messages of
// a few recipients with the same fields, and reports the growth of the peak and the result of the last message.

export interface MessageOrder {
  subject: string;
  text: string;
  html: string;
  variables: Record<string, unknown>;
}

export interface MessageReport {
  /** Size of the message in bytes, or the error code. */
  result: number | string;
  /** Growth of the peak memory, in bytes. */
  growth: number;
}

const recipients = 8;

function buildAll({ subject, text, html, variables }: MessageOrder): MessageReport['result'] {
  const renderer = createEmailRenderer(
    {
      version: 1,
      content_hash: 'x',
      from_name: 'Brand',
      from_email: 'news@brand.example',
      reply_to: null,
      subject,
      preheader: '',
      html,
      text,
      links: [],
      contact_fields: null,
      context: {},
    },
    {
      publicUrl: 'https://t.brand.example',
      signer: createTokenSigner(Buffer.alloc(32, 3)),
      sendNumber: 99,
      messageIdBase: '1f0f7b0e-4a30-4d0a-9c55-0b4f7c2d9e11',
      bounceDomain: 'bounce.brand.example',
      headers: { feedbackId: 'c1:o1:email:reachout', listId: '"Brand" <b1.brand.example>' },
    },
  );
  let result: MessageReport['result'] = 0;
  for (let seq = 1; seq <= recipients; seq += 1) {
    try {
      const recipient = { seq, contactId: 'c', address: 'ada@example.com', variables };
      result = renderer.build(recipient, new Date()).message.length;
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      result = error.code;
    }
  }
  return result;
}

/**
 * @returns the peak memory of this program in bytes. That of `process.resourceUsage()` includes the process that started it:
 *   before this program is loaded, it is a copy of that one, whose memory depends on the tests that it has run.
 */
function readPeak(): number {
  const inKb =
    process.platform === 'linux'
      ? Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))![1])
      : process.resourceUsage().maxRSS;
  return inKb * 1024;
}

process.once('message', (order: MessageOrder) => {
  buildAll({ subject: 'News', text: 'Hello', html: '<p>{{ contact.x }}</p>', variables: { x: 'Ada' } });
  const before = process.memoryUsage.rss();
  const result = buildAll(order);
  const growth = readPeak() - before;
  process.send?.({ result, growth } satisfies MessageReport);
});

import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { createTokenSigner } from '../../email/links/tokens.ts';
import { RenderError } from '../../email/liquid/render-error.ts';
import { buildMessage } from './active-send.ts';
import { createSendRenderer } from './send-renderer.ts';
import type { TrialOrder } from './trial-build.ts';

// The process of a trial build (trial-build.ts). It reports each message before building it, to attribute a crash.
// Signals that reach a whole terminal or service are meant for the worker and must not be blamed on a message.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// The worker died or disconnected.
process.on('disconnect', () => process.exit(1));

const say = (message: { building: number }) =>
  new Promise<void>((resolve) => process.send!(message, undefined, undefined, () => resolve()));

const [order] = (await once(process, 'message')) as [TrialOrder];
// The messages are discarded, so their links do not have to work.
const signer = createTokenSigner(randomBytes(32));
const renderer = createSendRenderer(order.content, { ...order, signer });
for (const recipient of order.recipients) {
  await say({ building: recipient.seq });
  try {
    buildMessage({ renderer, startedAt: new Date(order.startedAt) }, recipient);
  } catch (error) {
    // The worker gets the same error and reports it.
    if (!(error instanceof RenderError)) throw error;
  }
}
process.exit(0);

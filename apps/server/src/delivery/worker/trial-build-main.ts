import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { createTokenSigner } from '../../email/links/tokens.ts';
import { RenderError } from '../../email/liquid/render-error.ts';
import { buildMessage } from './active-send.ts';
import { createSendRenderer } from './send-renderer.ts';
import type { TrialOrder } from './trial-build.ts';

// The process of a trial (trial-build.ts): says which message it builds before it does, so that its death has a culprit.
// Signals that reach a whole terminal or service at once are for the worker: no message is to blame for them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// The worker has died, or wants no more.
process.on('disconnect', () => process.exit(1));

const say = (message: { building: number }) =>
  new Promise<void>((resolve) => process.send!(message, undefined, undefined, () => resolve()));

const [order] = (await once(process, 'message')) as [TrialOrder];
// What is built here goes nowhere: no link of it has to work.
const signer = createTokenSigner(randomBytes(32));
const renderer = createSendRenderer(order.content, { ...order, signer });
for (const recipient of order.recipients) {
  await say({ building: recipient.seq });
  try {
    buildMessage({ renderer, startedAt: new Date(order.startedAt) }, recipient);
  } catch (error) {
    // The worker finds the same, and says so.
    if (!(error instanceof RenderError)) throw error;
  }
}
process.exit(0);

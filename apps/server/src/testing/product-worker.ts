import type { TestContext } from 'node:test';
import { relayRulesOf } from '../email/transports/relay-rules.ts';
import { startWorker, type WorkerOptions } from '../worker.ts';
import type { TestApp } from './app.ts';
import type { SmtpSink } from './smtp-sink.ts';
import { waitUntil } from './wait-until.ts';

export interface ProductWorker {
  /** Resolves when the worker knows which sends the database has paused or cancelled by now. */
  lookAgain: () => Promise<void>;
  stop: () => Promise<void>;
}

/**
 * The product's own worker in this process, with the settings of the app, until the test ends or stops it. It hands over one
 * message at a time.
 */
export function startProductWorker(
  t: TestContext,
  app: TestApp,
  sink: Pick<SmtpSink, 'url'>,
  options: Partial<WorkerOptions> = {},
): ProductWorker {
  const { config } = app.services;
  const worker = startWorker({
    ...config,
    logins: app,
    smtpUrl: sink.url,
    smtpConnections: 1,
    relay: relayRulesOf(config),
    ...options,
  });
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= worker.stop());
  t.after(stop);
  const countLooks = async () => {
    const metrics = await worker.collectMetrics();
    return metrics.find(({ name }) => name === 'reachout_looks_total')!.values[0]!.value;
  };
  const lookAgain = async () => {
    // The first one to end may have begun before.
    const enough = (await countLooks()) + 2;
    await waitUntil('the worker has looked for sends', async () => (await countLooks()) >= enough);
  };
  return { lookAgain, stop };
}

import type { TestContext } from 'node:test';
import { policyOfInstallation, type SenderPolicies } from '../email/transports/sender-policy.ts';
import type { Log } from '../platform/log.ts';
import { startWorker, type WorkerOptions } from '../worker.ts';
import type { TestApp } from './app.ts';
import type { SmtpSink } from './smtp-sink.ts';

/**
 * Runs the product's worker in this process, with the settings of the app, until the test ends or stops it. It has one
 * SMTP connection.
 */
export function startProductWorker(
  t: Pick<TestContext, 'after'>,
  app: TestApp,
  sink: Pick<SmtpSink, 'url'>,
  options: Partial<WorkerOptions> = {},
  policies?: SenderPolicies,
  log?: Log,
): { stop: () => Promise<void> } {
  const { config } = app.services;
  const worker = startWorker(
    {
      ...config,
      logins: app,
      smtpUrl: sink.url,
      smtpConnections: 1,
      policy: policyOfInstallation(config),
      domains: config,
      ...options,
    },
    policies,
    log,
  );
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= worker.stop());
  t.after(stop);
  return { stop };
}

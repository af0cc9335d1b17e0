import { findLogins } from '../../apps/server/src/main.ts';
import { createSigner } from '../../apps/server/src/email/dkim/create-signer.ts';
import type { ProviderEndpoints } from '../../apps/server/src/email/transports/own-transport.ts';
import { policyForAll, policyOfInstallation } from '../../apps/server/src/email/transports/sender-policy.ts';
import { readConfig } from '../../apps/server/src/platform/config.ts';
import { startWorker } from '../../apps/server/src/worker.ts';
import type { DkimKey } from './send-bench.ts';

// The worker of an installation on its own, which signs all messages with the key in BENCH_DKIM_KEY, if there is one, and finds providers
// of transports at BENCH_ENDPOINTS.

const config = readConfig(process.env);
const policy = policyOfInstallation(config);
const { BENCH_DKIM_KEY: key, BENCH_ENDPOINTS: endpoints = '{}' } = process.env;
const sign = key === undefined ? undefined : createSigner(JSON.parse(key) as DkimKey);
const worker = startWorker(
  {
    ...config,
    logins: findLogins(config, config.databaseUrl!),
    policy,
    domains: config,
    endpoints: JSON.parse(endpoints) as ProviderEndpoints,
  },
  sign && { ...policyForAll(policy), preparationOf: () => Promise.resolve(sign) },
);
// As start.ts: the process that has started it was killed.
process.once('disconnect', () => process.exit(1));
process.once('SIGTERM', () => void worker.stop().then(() => process.exit(0)));

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createApp } from './app.ts';
import { hasDemoByDefault } from './operations/demo/demo-key.ts';
import { answerDemoDomain, withDemoDomains } from './operations/demo/demo-domains.ts';
import { createCheckRunner } from './email/domains/run-check.ts';
import { createMailSetup } from './router.ts';
import { openDemo } from './operations/demo/demo.ts';
import { createMailboxKey } from './operations/mailbox/mailbox-key.ts';
import type { Config, DatabaseLogins } from './platform/config.ts';
import type { Log } from './platform/log.ts';
import { startEventFolder } from './events/event-folder.ts';
import { closeServices, createServices, type Services } from './services.ts';

export interface HttpServer {
  /** Public address, for example `http://localhost:3000`. */
  address: string;
  /** URL that opens the system mailbox; undefined if there is none. */
  mailboxUrl: string | undefined;
  services: Services;
  /**
   * Creates the demo organization if it is wanted. @returns a URL that signs the user of this terminal in to it
   * @param isAskedFor  creates it even if the installation has no demo by default
   */
  openDemo: (isAskedFor: boolean) => Promise<string | undefined>;
  stop: () => Promise<void>;
}

/** Missing in development before the first build. */
const webFolder = join(import.meta.dirname, '../../web/dist');
const trackerScript = join(import.meta.dirname, '../../../packages/tracker/dist/script.js');

/**
 * Starts the roles that serve requests. A process without them does not load this module.
 * @param hasDemoDomains  whether the domains of the demo have records
 */
export async function startHttpServer(
  config: Config,
  logins: DatabaseLogins,
  log: Log,
  hasDemoDomains: boolean,
): Promise<HttpServer> {
  const services = createServices(config, logins, log);
  if (hasDemoDomains) {
    services.installation = withDemoDomains(services.installation);
    services.runCheck = createCheckRunner(config.dnsServers, {}, answerDemoDomain);
  }
  const app = await createApp(
    services,
    existsSync(webFolder) ? webFolder : undefined,
    existsSync(trackerScript) ? trackerScript : undefined,
  );
  const folder = config.roles.includes('tracking')
    ? startEventFolder(services.trackingPipelined, log)
    : undefined;
  const stop = async () => {
    await Promise.all([app.close(), folder?.close()]);
    await closeServices(services);
  };
  try {
    await app.listen({ port: config.port, host: config.host });
  } catch (error) {
    await stop();
    throw error;
  }
  const hasApi = config.roles.includes('api');
  return {
    address: config.publicUrl,
    mailboxUrl: hasApi ? createMailboxKey(config)?.link : undefined,
    services,
    openDemo: async (isAskedFor) =>
      hasApi && (isAskedFor || hasDemoByDefault(config))
        ? await openDemo({
            ...services,
            setup: createMailSetup(services),
            domains: hasDemoDomains ? services : undefined,
          })
        : undefined,
    stop,
  };
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createApp } from './app.ts';
import { hasDemoByDefault } from './operations/demo/demo-account.ts';
import { openDemo } from './operations/demo/demo.ts';
import { createMailboxKey } from './operations/mailbox/mailbox-key.ts';
import type { Config, DatabaseLogins } from './platform/config.ts';
import type { Log } from './platform/log.ts';
import { closeServices, createServices, type Services } from './services.ts';

export interface HttpServer {
  /** Where it listens, for example `http://localhost:3000`. */
  address: string;
  /** Opens the system mailbox; undefined where there is none. */
  mailboxUrl: string | undefined;
  services: Services;
  /**
   * Makes the demo organization where one is wanted, and signs the person at this terminal in to it.
   * @param isAskedFor  also where an installation has no demo by default
   */
  openDemo: (isAskedFor: boolean) => Promise<string | undefined>;
  stop: () => Promise<void>;
}

/** Not there in development before the first build. */
const webFolder = join(import.meta.dirname, '../../web/dist');

/** Starts the roles that respond to requests. A process without them loads nothing of this. */
export async function startHttpServer(config: Config, logins: DatabaseLogins, log: Log): Promise<HttpServer> {
  const services = createServices(config, logins, log);
  const app = await createApp(services, existsSync(webFolder) ? webFolder : undefined);
  const stop = async () => {
    await app.close();
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
      hasApi && (isAskedFor || hasDemoByDefault(config)) ? await openDemo(services) : undefined,
    stop,
  };
}

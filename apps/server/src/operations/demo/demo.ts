import { randomBytes } from 'node:crypto';
import type { StarterLanguage } from '@reachout/contract/templates.ts';
import type { Auth } from '../../identity/auth/auth.ts';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { Log } from '../../platform/log.ts';
import { makeMonths } from '../retention/partitions.ts';
import { createStoreLogo } from './demo-logos.ts';
import { demoEmail, hasDemo } from './demo-account.ts';
import { createDemoKey } from './demo-key.ts';
import { hasUsers } from './demo.queries.ts';
import { makeDemo } from './make-demo.ts';
import { stories } from './story/stories.ts';

export interface DemoDeps {
  config: Pick<Config, 'databaseUrl' | 'smtpUrl' | 'host' | 'publicUrl' | 'secretKey'>;
  db: Database;
  authDb: Database;
  auth: Auth;
  files: FileStore;
  log: Log;
}

/** That of the machine: at the first start nobody is there to be asked. */
const languageOfMachine = (): StarterLanguage =>
  new Intl.DateTimeFormat().resolvedOptions().locale.startsWith('de') ? 'de' : 'en';

/**
 * On the first start, where nobody has signed up yet, makes an organization with a past. Nobody knows the password of its person; a
 * link signs in: at home any number of times, elsewhere once, within ten minutes.
 * @returns the link for the operator's terminal; undefined where there is no demo
 */
export async function openDemo(
  deps: DemoDeps,
  language: StarterLanguage = languageOfMachine(),
): Promise<string | undefined> {
  const { config, db, authDb, auth, files, log } = deps;
  if (!(await hasUsers(authDb))) {
    const story = stories[language];
    const password = randomBytes(48).toString('base64url');
    const userId = await auth.createUser({ email: demoEmail, password, name: story.person, language });
    await makeDemo(db, {
      story,
      userId,
      publicUrl: config.publicUrl,
      // Its recipients are made up: no mail server is asked to send to them.
      hasOpenSends: config.smtpUrl === undefined,
      storeLogo: createStoreLogo(files, log),
      now: new Date(),
    });
    // Its rows lie in months that had no partition yet, of which a worker would warn. Another one may be at it, or the next
    // one does it: nothing is wrong.
    await makeMonths(authDb, log.child({}, { level: 'error' })).catch((error: unknown) =>
      log.info({ reason: String(error) }, 'the months of the demo get their partitions later'),
    );
  }
  if (!(await hasDemo(authDb))) return undefined;
  return createDemoKey(deps)?.link ?? (await auth.makeSignInLink(demoEmail));
}

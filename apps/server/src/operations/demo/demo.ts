import { randomBytes } from 'node:crypto';
import type { StarterLanguage } from '@reachout/contract/templates.ts';
import type { Auth } from '../../identity/auth/auth.ts';
import type { Config } from '../../platform/config.ts';
import { transactionAs, type Database } from '../../platform/database/database.ts';
import { retryWhileAway } from '../../platform/database/retry-while-away.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { Log } from '../../platform/log.ts';
import type { MailSetup } from '../../outreach/channels/channel.ts';
import { makeMonths } from '../retention/partitions.ts';
import type { DemoDomainDeps } from './demo-domains.ts';
import { createStoreLogo } from './demo-logos.ts';
import { demoEmail, hasDemo, createDemoKey } from './demo-key.ts';
import { findOnlyUser, hasOrganization, hasUsers } from './demo.queries.ts';
import { makeDemo } from './make-demo.ts';
import type { Story } from './story/story.ts';
import { german } from './story/story-de.ts';
import { english } from './story/story-en.ts';

export interface DemoDeps {
  config: Pick<Config, 'databaseUrl' | 'smtpUrl' | 'host' | 'publicUrl' | 'secretKey'>;
  db: Database;
  authDb: Database;
  auth: Auth;
  files: FileStore;
  log: Log;
  setup: MailSetup;
  domains?: DemoDomainDeps | undefined;
}

/** The machine's language, because no user can choose one at the first start. */
const languageOfMachine = (): StarterLanguage =>
  new Intl.DateTimeFormat().resolvedOptions().locale.startsWith('de') ? 'de' : 'en';

/**
 * On the first start, before any user has signed up, creates a demo organization with a history. The demo user's password is
 * random and unknown; a link signs in: any number of times on a local machine, otherwise once within ten minutes. A start
 * that ended before the demo was complete is made up for by the next one.
 * @returns the link for the operator's terminal; undefined if there is no demo
 */
export const openDemo = (
  deps: DemoDeps,
  language: StarterLanguage = languageOfMachine(),
): Promise<string | undefined> => retryWhileAway('the demo', deps.log, () => openOnce(deps, language));

/** @returns the demo user if its organization is missing */
async function findUnfinished({ db, authDb }: DemoDeps): Promise<string | undefined> {
  const userId = await findOnlyUser(authDb, demoEmail);
  if (userId === undefined) return undefined;
  return (await transactionAs(db, { userId }, hasOrganization)) ? undefined : userId;
}

async function openOnce(deps: DemoDeps, language: StarterLanguage): Promise<string | undefined> {
  const { config, db, authDb, auth, files, log, setup, domains } = deps;
  const story = stories[language];
  const userId = (await hasUsers(authDb))
    ? await findUnfinished(deps)
    : await auth.createUser({
        email: demoEmail,
        password: randomBytes(48).toString('base64url'),
        name: story.person,
        language,
      });
  if (userId !== undefined) {
    await makeDemo(db, {
      story,
      userId,
      publicUrl: config.publicUrl,
      // The recipients are fictional, so no mail server must send to them.
      hasOpenSends: config.smtpUrl === undefined,
      storeLogo: createStoreLogo(files, log),
      setup,
      domains,
      log,
      now: new Date(),
    });
    // The demo's rows are in months without a partition, which a worker would warn about. A failure here is harmless:
    // another process may be creating the partitions, or a later run does.
    await makeMonths(authDb, log.child({}, { level: 'error' })).catch((error: unknown) =>
      log.info({ reason: String(error) }, 'the months of the demo get their partitions later'),
    );
  }
  if (!(await hasDemo(authDb))) return undefined;
  return createDemoKey(deps)?.link ?? (await auth.makeSignInLink(demoEmail));
}

/** The demo's content in each language. */
export const stories: Readonly<Record<StarterLanguage, Story>> = { en: english, de: german };

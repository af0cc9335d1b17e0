import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/database/database.ts';
import { isAtHome } from '../../platform/terminal-key.ts';
import { hasUser } from './demo.queries.ts';

export const demoEmail = 'demo@reachout.example';

/**
 * Only an installation that nobody else can reach has a demo by default: each start prints a link that signs in. Others
 * have one when the operator asks for it.
 */
export const hasDemoByDefault = (
  config: Pick<Config, 'databaseUrl' | 'smtpUrl' | 'host' | 'publicUrl'>,
): boolean => config.databaseUrl === undefined && isAtHome(config);

/** Whether its person has an account here. */
export const hasDemo = (db: Database): Promise<boolean> => hasUser(db, demoEmail);

import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/database/database.ts';
import { isAtHome } from '../../platform/terminal-key.ts';
import { hasUser } from './demo.queries.ts';

export const demoEmail = 'demo@reachout.example';

/**
 * Only an installation that is not reachable from other hosts has a demo by default: each start prints a sign-in link. On
 * other installations, the operator must request the demo.
 */
export const hasDemoByDefault = (
  config: Pick<Config, 'databaseUrl' | 'smtpUrl' | 'host' | 'publicUrl'>,
): boolean => config.databaseUrl === undefined && isAtHome(config);

/** Whether the demo user has an account on this installation. */
export const hasDemo = (db: Database): Promise<boolean> => hasUser(db, demoEmail);

import type { Config } from './config.ts';
import { isLoopback } from './loopback.ts';

/**
 * Lists settings that are valid but risky, as one warning each for the startup log.
 * @param userId  of the process; undefined if the system has no user ids
 */
export function listConfigRisks(
  { databaseUrl, databaseLogins }: Pick<Config, 'databaseUrl' | 'databaseLogins'>,
  userId: number | undefined,
): string[] {
  const databases = {
    DATABASE_URL: databaseUrl,
    DATABASE_APP_URL: databaseLogins?.appUrl,
    DATABASE_AUTH_URL: databaseLogins?.authUrl,
  };
  return [
    ...Object.entries(databases)
      .filter(([, url]) => url !== undefined && crossesNetworkInClear(url))
      .map(
        ([name]) =>
          `${name} names another machine without TLS: everything that is stored crosses the network in clear text. Add ?sslmode=verify-full.`,
      ),
    ...(userId === 0
      ? ['This process runs as root. Run it as a user who can write in DATA_DIR and nowhere else.']
      : []),
  ];
}

const encrypted = new Set(['require', 'verify-ca', 'verify-full']);

function crossesNetworkInClear(databaseUrl: string): boolean {
  const { hostname, searchParams } = new URL(databaseUrl);
  // A `host` parameter takes precedence; a value that begins with a slash is a socket on this machine.
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  if (host === '' || host.startsWith('/') || isLoopback(host)) return false;
  return !encrypted.has(searchParams.get('sslmode') ?? '') && searchParams.get('ssl') !== 'true';
}

import type { Database } from '../../platform/database/database.ts';
import { listTrackingHosts } from './domain.queries.ts';

/** What is known of a customer's host of links. */
export interface TrackingHost {
  /** Web address of the bare host; null for none. */
  destination: string | null;
}

/** The customers' hosts of links, in the memory of this process. */
export interface TrackingHosts {
  /** @param host  of a request, in any case, with or without port and last dot */
  find: (host: string | undefined) => TrackingHost | undefined;
  /** Reads them again. If the database is away, those read before stay. */
  refresh: () => Promise<void>;
}

/** Each with about 200 bytes. */
const maxHosts = 10_000;

/** @param target  the host of PUBLIC_URL, which records lead to; it is no customer's host, whatever the records say */
export function createTrackingHosts(db: Database, target: string): TrackingHosts {
  let hosts: ReadonlyMap<string, TrackingHost> = new Map();
  return {
    find: (host) => (host === undefined ? undefined : hosts.get(normalize(host))),
    refresh: async () => {
      const rows = await listTrackingHosts(db, target, maxHosts);
      hosts = new Map(
        rows
          .map(({ domain, destination }) => [`click.${domain}`, { destination }] as const)
          .filter(([host]) => host !== target),
      );
    },
  };
}

const normalize = (host: string): string => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');

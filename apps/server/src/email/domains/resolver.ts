import { Resolver } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import { findDnsFault, type DnsFault, type DnsQueryType } from './dns-fault.ts';

/**
 * `absent` means that the DNS answered: `no_name` if it knows neither the name nor one below it, `no_data` if the name only
 * has other records. The code of a `temporary_error` is that of c-ares, or `too_slow`, `too_many_queries` or `too_large`; the
 * fault is that of the zone, if the resolver tells one.
 */
export type DnsAnswer<T> =
  | { outcome: 'found'; values: T[] }
  | { outcome: 'absent'; reason: 'no_name' | 'no_data' }
  | Unanswered;

export interface Unanswered {
  outcome: 'temporary_error';
  code: string;
  fault?: DnsFault;
}

export interface UnansweredName extends Unanswered {
  name: string;
}

export interface MxRecord {
  priority: number;
  exchange: string;
}

export interface CaaRecord {
  /** In lower case. */
  tag: string;
  value: string;
}

/**
 * The queries of one check to one resolver, within one budget. Aliases are followed by the resolver. Equal queries are made
 * once. Names in answers are in lower case, without the last dot. Nothing here throws.
 */
export interface Lookups {
  /** Each record as one text. */
  txt: (name: string) => Promise<DnsAnswer<string>>;
  cname: (name: string) => Promise<DnsAnswer<string>>;
  /** By priority. */
  mx: (name: string) => Promise<DnsAnswer<MxRecord>>;
  /** IPv4 and IPv6; two queries. */
  addresses: (name: string) => Promise<DnsAnswer<string>>;
  caa: (name: string) => Promise<DnsAnswer<CaaRecord>>;
}

export interface QueryLimits {
  /** Time of one try of one query. */
  timeoutMs: number;
  tries: number;
  /** Queries of one check to one resolver. */
  maxQueries: number;
}

export const queryLimits: QueryLimits = { timeoutMs: 3_000, tries: 2, maxQueries: 60 };

/** A larger answer is not read: cutting it could hide the record that counts. */
export const maxRecords = 100;
export const maxRecordBytes = 4_096;

/** @returns the addresses of the resolvers of the system, `address` or `address:port` */
export const systemResolvers = (): string[] => new Resolver().getServers();

/** Runs `work` with queries to one resolver; those that are under way after `maxMs` are ended, later ones are not made. */
export async function withLookups<Result>(
  server: string,
  { timeoutMs, tries, maxQueries }: QueryLimits,
  maxMs: number,
  work: (lookups: Lookups) => Promise<Result>,
): Promise<Result> {
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  resolver.setServers([server]);
  const asked = new Map<string, Promise<DnsAnswer<unknown>>>();
  let queries = 0;
  let isOver = false;
  const end = () => {
    isOver = true;
    resolver.cancel();
  };
  const timer = setTimeout(end, maxMs);

  async function query<T>(
    type: DnsQueryType,
    name: string,
    resolve: (name: string) => Promise<T[]>,
  ): Promise<DnsAnswer<T>> {
    if (isOver) return { outcome: 'temporary_error', code: 'too_slow' };
    if (!isQueryable(name)) return { outcome: 'absent', reason: 'no_name' };
    if (queries >= maxQueries) return { outcome: 'temporary_error', code: 'too_many_queries' };
    queries += 1;
    try {
      return bounded(await resolve(name));
    } catch (error) {
      if (isOver) return { outcome: 'temporary_error', code: 'too_slow' };
      const answer = toAnswer(error);
      if (answer.outcome !== 'temporary_error' || answer.code !== 'ESERVFAIL' || queries + 2 > maxQueries)
        return answer;
      queries += 2;
      const fault = await findDnsFault(server, { name, type }, Math.min(timeoutMs, maxMs / 2));
      return { ...answer, ...(fault !== undefined && { fault }) };
    }
  }

  const once =
    <T>(type: DnsQueryType, resolve: (name: string) => Promise<T[]>) =>
    (name: string): Promise<DnsAnswer<T>> => {
      const key = `${type} ${toName(name)}`;
      const answer =
        (asked.get(key) as Promise<DnsAnswer<T>> | undefined) ?? query(type, toName(name), resolve);
      asked.set(key, answer);
      return answer;
    };

  const a = once('A', (name) => resolver.resolve4(name));
  const aaaa = once('AAAA', (name) => resolver.resolve6(name));
  try {
    return await work({
      txt: once('TXT', async (name) => (await resolver.resolveTxt(name)).map(toText)),
      cname: once('CNAME', async (name) => (await resolver.resolveCname(name)).map(toName)),
      mx: once('MX', async (name) =>
        (await resolver.resolveMx(name))
          .map(({ priority, exchange }) => ({ priority, exchange: toName(exchange) }))
          .toSorted((one, other) => one.priority - other.priority),
      ),
      addresses: async (name) => merge(await a(name), await aaaa(name)),
      caa: once('CAA', async (name) =>
        (await resolver.resolveCaa(name)).flatMap(({ critical: _critical, ...properties }) =>
          Object.entries(properties)
            .filter(([tag]) => tag !== 'type')
            .map(([tag, value]) => ({ tag: tag.toLowerCase(), value: String(value) })),
        ),
      ),
    });
  } finally {
    clearTimeout(timer);
    end();
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @param strings  of one TXT record, in which each byte is a character; a character may go from one to the next */
function toText(strings: readonly string[]): string {
  const bytes = Buffer.from(strings.join(''), 'latin1');
  try {
    return utf8.decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}

/** @returns the name in the form in which names are compared */
export const toName = (name: string): string => name.toLowerCase().replace(/\.$/, '');

export const typeOfAddress = (address: string): 'A' | 'AAAA' => (isIPv6(address) ? 'AAAA' : 'A');

/** Whether the DNS can have such a name: RFC 1035 section 2.3.4. */
const isQueryable = (name: string): boolean =>
  name.length <= 253 && name.split('.').every((label) => label.length > 0 && label.length <= 63);

function bounded<T>(values: T[]): DnsAnswer<T> {
  // A resolver that does not follow an alias answers with the alias alone, which c-ares reports as no values.
  if (values.length === 0) return { outcome: 'absent', reason: 'no_data' };
  const isTooLarge = values.some(
    (value) => Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value)) > maxRecordBytes,
  );
  if (values.length > maxRecords || isTooLarge) return { outcome: 'temporary_error', code: 'too_large' };
  return { outcome: 'found', values };
}

function toAnswer(error: unknown): DnsAnswer<never> {
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'EUNKNOWN';
  if (code === 'ENOTFOUND' || code === 'EBADNAME') return { outcome: 'absent', reason: 'no_name' };
  if (code === 'ENODATA') return { outcome: 'absent', reason: 'no_data' };
  return { outcome: 'temporary_error', code };
}

/** An address of one kind suffices; without one, an error of either query leaves open whether there is one. */
function merge(one: DnsAnswer<string>, other: DnsAnswer<string>): DnsAnswer<string> {
  const values = [one, other].flatMap((answer) => (answer.outcome === 'found' ? answer.values : []));
  if (values.length > 0) return { outcome: 'found', values };
  if (one.outcome === 'temporary_error') return one;
  if (other.outcome === 'temporary_error') return other;
  return one;
}

import { randomBytes } from 'node:crypto';
import type { DnsRecordType } from '@reachout/contract/rules/domain-advice.ts';
import { zoneOf } from './domain-name.ts';
import type { Fault, Findings } from './findings.ts';
import { hostIn } from './records-for.ts';
import type { DnsAnswer, Lookups, UnansweredName } from './resolver.ts';

interface Context {
  lookups: Lookups;
  findings: Findings;
  fault?: Fault;
}

/** A record that the customer has to add. */
interface WantedRecord {
  name: string;
  type: Extract<DnsRecordType, 'TXT' | 'CNAME' | 'MX'>;
  /** That of the customer. */
  domain: string;
  /** Tell it from the records of others, by the type of what was found. */
  isTxt?: (value: string) => boolean;
  isCname?: (value: string) => boolean;
  isMx?: (exchange: string) => boolean;
  /** A name that needs such a record itself. */
  exceptAt?: string;
}

/** CNAME records that are followed. */
export const maxAliases = 5;

/** @returns the names that CNAME records lead to, in their order; a circle, or what is above the limit, has no end */
export async function followAliases(
  lookups: Lookups,
  name: string,
): Promise<{ targets: string[]; hasEnd: boolean; unanswered?: UnansweredName }> {
  const targets: string[] = [];
  for (let at = name; targets.length <= maxAliases; at = targets.at(-1)!) {
    const answer = await lookups.cname(at);
    if (answer.outcome === 'temporary_error')
      return { targets, hasEnd: true, unanswered: { ...answer, name: at } };
    if (answer.outcome === 'absent') return { targets, hasEnd: true };
    const next = answer.values.at(-1)!;
    if (next === name || targets.includes(next)) return { targets: [...targets, next], hasEnd: false };
    targets.push(next);
  }
  return { targets, hasEnd: false };
}

/** Whether a name has these values from a wildcard: another name beside it, which nobody has entered, has them, too. */
export async function isFromWildcard(
  lookups: Lookups,
  type: 'txt' | 'cname' | 'mx' | 'addresses',
  name: string,
): Promise<boolean> {
  const beside = [`x${randomBytes(6).toString('hex')}`, ...name.split('.').slice(1)].join('.');
  const valuesOf = (answer: DnsAnswer<unknown>) =>
    answer.outcome === 'found' ? answer.values.map((value) => JSON.stringify(value)).toSorted() : [];
  const values = valuesOf(await lookups[type](name));
  return values.length > 0 && String(values) === String(valuesOf(await lookups[type](beside)));
}

/**
 * Notes what stands where a TXT record belongs: records of a wildcard, or a CNAME, beside which there can be no other record.
 * @param answer  what was found in its place
 * @returns whether there is such a thing; a wildcard that has no record of this type does not matter
 */
export async function noteInTheWay(
  { lookups, findings, fault = 'fail' }: Context,
  name: string,
  answer: DnsAnswer<string>,
): Promise<boolean> {
  const { targets, hasEnd } = await followAliases(lookups, name);
  const [alias] = targets;
  if (alias === undefined && answer.outcome !== 'found') return false;
  if (await isFromWildcard(lookups, alias === undefined ? 'txt' : 'cname', name)) {
    if (answer.outcome !== 'found') return false;
    noteWildcard({ findings, fault }, { name, type: 'TXT', values: answer.values });
    return true;
  }
  if (alias === undefined) return false;
  if (answer.outcome === 'temporary_error' && hasEnd) return false;
  // A resolver that does not follow aliases.
  if (answer.outcome === 'absent' && hasEnd && (await lookups.txt(targets.at(-1)!)).outcome === 'found')
    return false;
  findings.found('CNAME', name, alias);
  findings.fault(fault, 'record_alias', { name, found: alias, type: 'TXT' });
  return true;
}

/** @param values  of the wildcard; the type is that of the record that is wanted */
export const noteWildcard = (
  { findings, fault = 'fail' }: Omit<Context, 'lookups'>,
  { name, type, values }: { name: string; type: string; values: readonly string[] },
): void => findings.fault(fault, 'record_wildcard', { name, type, found: values.join(', ') });

/**
 * Notes why a record is missing: an unknown domain, or a record that was entered under another name.
 * @param otherwise  notes it if neither is the reason
 */
export async function noteMissing(
  context: Context,
  wanted: WantedRecord,
  otherwise: () => void,
): Promise<void> {
  const { lookups, findings, fault = 'fail' } = context;
  const { name, domain } = wanted;
  if (await isUnknown(lookups, domain)) {
    findings.fault(fault, 'domain_unknown', { domain });
    return;
  }
  const zone = zoneOf(domain);
  const places = placesFor(name, domain).filter((place) => place.name !== wanted.exceptAt);
  const found = await Promise.all(places.map((place) => hasWanted(lookups, wanted, place.name)));
  const place = places[found.indexOf(true)];
  if (place === undefined) otherwise();
  else if (place.appended !== undefined)
    findings.fault(fault, 'record_doubled', {
      name,
      doubled: place.name,
      host: hostIn(place.appended, name),
    });
  else findings.fault(fault, 'record_misplaced', { name, found: place.name, host: hostIn(zone, name) });
}

async function hasWanted(lookups: Lookups, wanted: WantedRecord, name: string): Promise<boolean> {
  const { isTxt, isCname, isMx } = wanted;
  const has = async <T>(
    type: 'txt' | 'cname' | 'mx',
    answer: Promise<DnsAnswer<T>>,
    is: (value: T) => boolean,
  ): Promise<boolean> => {
    const found = await answer;
    return found.outcome === 'found' && found.values.some(is) && !(await isFromWildcard(lookups, type, name));
  };
  return (
    (isTxt !== undefined && (await has('txt', lookups.txt(name), isTxt))) ||
    (isCname !== undefined && (await has('cname', lookups.cname(name), isCname))) ||
    (isMx !== undefined && (await has('mx', lookups.mx(name), ({ exchange }) => isMx(exchange))))
  );
}

interface Place {
  name: string;
  /** What a DNS provider has appended to the name. */
  appended?: string;
}

/** Each is one or two queries. */
const maxPlaces = 14;

/**
 * Where a record is that was entered under a wrong name, the likeliest first: with the zone appended, with labels left out
 * (one level too high), with a label twice (one level too low).
 */
function placesFor(name: string, domain: string): Place[] {
  const zone = zoneOf(domain);
  const suffixes = domain
    .split('.')
    .map((_label, index, labels) => labels.slice(index).join('.'))
    .filter((suffix) => suffix.length >= zone.length);
  const labels = name === zone ? [] : hostIn(zone, name).split('.');
  const build = (...parts: readonly string[]): Place => ({ name: [...parts, zone].join('.') });
  const without = labels.flatMap((_label, count) =>
    Array.from({ length: labels.length - count }, (_, start) =>
      build(...labels.slice(0, start), ...labels.slice(start + count + 1)),
    ),
  );
  const repeated = labels.map((_label, index) =>
    build(...labels.slice(0, index + 1), ...labels.slice(index)),
  );
  const own = domain === zone ? [] : [build(...labels, ...hostIn(zone, domain).split('.'))];
  const places = [
    ...suffixes.toReversed().map((appended) => ({ name: `${name}.${appended}`, appended })),
    ...own,
    ...without,
    ...repeated,
  ];
  const names = new Set([name]);
  return places.filter((place) => names.size < names.add(place.name).size).slice(0, maxPlaces);
}

/** Whether the DNS knows neither the name nor one below it. */
export async function isUnknown(lookups: Lookups, name: string): Promise<boolean> {
  const answer = await lookups.txt(name);
  return answer.outcome === 'absent' && answer.reason === 'no_name';
}

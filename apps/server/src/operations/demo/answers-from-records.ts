import type { DnsRecord, DnsRecordType } from '@reachout/contract/rules/domain-advice.ts';
import type { Answers } from '../../email/domains/run-check.ts';
import { toName, type DnsAnswer, type Lookups } from '../../email/domains/resolver.ts';

/** CNAME records that are followed. */
const maxAliases = 5;

/**
 * Answers checks from a list of records, as a resolver that knows no others. The hosts of links answer a visit as ours do.
 * @param records  of type TXT, CNAME and MX
 */
export const answersFrom = (records: readonly DnsRecord[]): Answers => ({
  lookups: lookupsIn(records),
  probe: () => Promise.resolve({ outcome: 'ok', certificateEndsAt: undefined }),
});

function lookupsIn(records: readonly DnsRecord[]): Lookups {
  const valuesAt = (name: string, type: DnsRecordType) =>
    records.filter((record) => record.name === name && record.type === type).map(({ value }) => value);
  const endOfAliases = (name: string, followed = 0): string => {
    const [target] = valuesAt(name, 'CNAME');
    return target === undefined || followed === maxAliases ? name : endOfAliases(target, followed + 1);
  };
  const find =
    <T>(type: DnsRecordType, read: (value: string) => T) =>
    (asked: string): Promise<DnsAnswer<T>> => {
      const name = type === 'CNAME' ? toName(asked) : endOfAliases(toName(asked));
      const values = valuesAt(name, type).map(read);
      if (values.length > 0) return Promise.resolve({ outcome: 'found', values });
      const isKnown = records.some((record) => record.name === name || record.name.endsWith(`.${name}`));
      return Promise.resolve({ outcome: 'absent', reason: isKnown ? 'no_data' : 'no_name' });
    };
  const absent = () => Promise.resolve({ outcome: 'absent', reason: 'no_data' } as const);
  return {
    txt: find('TXT', (value) => value),
    cname: find('CNAME', toName),
    mx: find('MX', (value) => {
      const [priority, exchange = ''] = value.split(' ');
      return { priority: Number(priority), exchange: toName(exchange) };
    }),
    addresses: absent,
    caa: absent,
  };
}

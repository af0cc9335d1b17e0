import {
  adviceOf,
  toStorableText,
  type DnsRecord,
  type DnsRecordType,
  type DomainAdvice,
  type DomainAdviceCode,
  type DomainAdviceParams,
  type DomainCheckResult,
  type DomainVerdict,
} from '@reachout/contract/rules/domain-advice.ts';
import type { DnsFault } from './dns-fault.ts';
import { maxRecordBytes, maxRecords } from './resolver.ts';

/** From the best to the worst: what is known to be wrong does not become open by what is not known. */
const order = ['pass', 'warn', 'temporary_error', 'fail'] as const satisfies DomainVerdict[];
export type Fault = Exclude<DomainVerdict, 'pass'>;

const maxFound = 50;
/** Of all values together. None is cut: signatures are verified with the key record that was found. */
const maxFoundLength = 20_000;
/** A merged record holds what was found. */
const maxWantedLength = 4_096;

/** Collects what a check finds; its verdict is the worst fault. */
export interface Findings {
  found: (type: DnsRecordType, name: string, ...values: string[]) => void;
  fault: <Code extends DomainAdviceCode>(
    fault: Fault,
    code: Code,
    ...params: DomainAdviceParams<Code>
  ) => void;
  /** Notes that a name could not be queried. */
  unanswered: (name: string, code: string, fault?: DnsFault) => void;
  result: (wanted: DnsRecord[]) => DomainCheckResult;
}

export function openFindings(): Findings {
  const records: DnsRecord[] = [];
  let foundLength = 0;
  const faults: { fault: Fault; advice: DomainAdvice }[] = [];
  const fault: Findings['fault'] = (severity, code, ...params) => {
    faults.push({ fault: severity, advice: adviceOf(code, ...params) });
  };
  return {
    found: (type, name, ...values) => {
      for (const value of values) {
        foundLength += value.length;
        if (records.length < maxFound && foundLength <= maxFoundLength)
          records.push({ type, name, value: toStorableText(value, value.length) });
      }
    },
    fault,
    unanswered: (name, code, zone) => {
      if (code === 'too_slow') fault('temporary_error', 'check_too_slow');
      else if (code === 'too_many_queries') fault('temporary_error', 'too_many_queries');
      else if (code === 'too_large')
        fault('fail', 'answer_too_large', {
          name,
          records: maxRecords,
          kilobytes: maxRecordBytes / 1024,
        });
      else if (zone?.kind === 'dnssec')
        fault('temporary_error', 'zone_dnssec', { name, detail: zone.detail || code });
      else if (zone?.kind === 'unreachable')
        fault('temporary_error', 'zone_unreachable', { name, detail: zone.detail });
      else fault('temporary_error', 'dns_unavailable', { name, code });
    },
    result: (wanted) => {
      const sorted = faults.toSorted((one, other) => order.indexOf(other.fault) - order.indexOf(one.fault));
      const texts = new Set<string>();
      return {
        verdict: sorted[0]?.fault ?? 'pass',
        found: records,
        wanted: wanted.map((record) => ({ ...record, value: toStorableText(record.value, maxWantedLength) })),
        advice: sorted
          .map(({ advice }) => advice)
          .filter((advice) => texts.size < texts.add(JSON.stringify(advice)).size),
      };
    },
  };
}

/** Whether a text has quotation marks of any script: no record that we check needs one. */
export const hasQuotes = (text: string): boolean =>
  /["'`´\p{Pi}\p{Pf}\u{201a}\u{201e}\u{2032}\u{2033}\u{ff02}\u{ff07}]/u.test(text);

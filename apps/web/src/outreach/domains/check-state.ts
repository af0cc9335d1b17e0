import type { DomainCheck, DomainDetails } from '@reachout/contract/domains.ts';
import type { DnsRecord } from '@reachout/contract/rules/domain-advice.ts';
import type { DomainCheckKind, DomainCheckState } from '@reachout/contract/states/domain.ts';

/**
 * What a card says of its records. `blocked`: the operator must complete the settings first; `missing`: they passed before;
 * `different`: a record has another value; `problem`: the records are there, but do not work.
 */
export type CardState =
  | 'blocked'
  | 'unchecked'
  | 'waiting'
  | 'missing'
  | 'different'
  | 'problem'
  | 'verified'
  | 'warning';

/** Statuses of `StatusBadge` with a fitting icon. */
export const cardLooks = {
  blocked: 'draft',
  unchecked: 'draft',
  waiting: 'pending',
  missing: 'failed',
  different: 'failed',
  problem: 'failed',
  verified: 'active',
  warning: 'deferred',
} as const satisfies Record<CardState, string>;

const stateNames = { pass: 'verified', warn: 'warning', fail: 'problem' } as const;

/** For the marks of a list, which know nothing of the records. */
export const markState = (state: DomainCheckState | null): CardState =>
  state === null ? 'unchecked' : stateNames[state];

export function cardState(check: DomainCheck): CardState {
  const { verdict, state, found, passed_at } = check;
  if (verdict === null) return 'unchecked';
  // Says nothing of the records, so that what was known before still holds.
  if (verdict === 'temporary_error')
    return state === null || state === 'fail' ? 'waiting' : stateNames[state];
  if (verdict !== 'fail') return stateNames[verdict];
  if (found.length === 0) return passed_at === null ? 'waiting' : 'missing';
  const differing = listDiffering(check);
  return differing.length > 0 ? 'different' : listMissing(check).length > 0 ? 'waiting' : 'problem';
}

/** Whether the check is repeated while its page is open. */
export const isOpen = ({ verdict }: DomainCheck): boolean => verdict !== 'pass' && verdict !== 'warn';

const isSame = (one: DnsRecord, other: DnsRecord): boolean =>
  one.type === other.type && one.name === other.name && one.value === other.value;

type Records = Pick<DomainCheck, 'found' | 'wanted'>;

const listDiffering = ({ found, wanted }: Records): DnsRecord[] =>
  found.filter((record) => !wanted.some((other) => isSame(record, other)));

const listMissing = ({ found, wanted }: Records): DnsRecord[] =>
  wanted.filter((record) => !found.some((other) => isSame(record, other)));

interface Difference {
  expected: DnsRecord;
  /** Records in its place, at least one. */
  found: DnsRecord[];
}

/** Pairs each expected record that was not found with what was found in its place: under its name, else anywhere. */
export function listDifferences(check: Records): Difference[] {
  const missing = listMissing(check);
  const differing = listDiffering(check);
  const isElsewhere = ({ name }: DnsRecord) => !missing.some((expected) => expected.name === name);
  return missing
    .map((expected, index) => ({
      expected,
      found: differing.filter(
        (record) => record.name === expected.name || (index === 0 && isElsewhere(record)),
      ),
    }))
    .filter(({ found }) => found.length > 0);
}

/** The mail servers to which returned messages go in the end, with their addresses; none if the check did not get that far. */
export const listReturnServers = ({ found }: Pick<DomainCheck, 'found'>): string[] => {
  const addresses = found.filter(({ type }) => type === 'A' || type === 'AAAA');
  return [...Map.groupBy(addresses, ({ name }) => name)].map(
    ([name, records]) => `${name} (${records.map(({ value }) => value).join(', ')})`,
  );
};

/** The records to set for a purpose; in place of one that is there already, what to change it to. */
export const recordsToShow = ({ records, checks }: DomainDetails, kind: DomainCheckKind) =>
  records
    .filter(({ purpose }) => purpose === kind)
    .map(({ splitValue, ...record }) => {
      const { name, type, value } = record;
      const wanted =
        checks[kind].wanted.find((other) => other.name === name && other.type === type) ?? record;
      if (wanted.value !== value) return { ...record, value: wanted.value };
      return splitValue === undefined ? record : { ...record, splitValue };
    });

/** @returns the parts of a text before, within and after what differs from the other text */
export function splitAtDifference(
  text: string,
  other: string,
): [before: string, differs: string, after: string] {
  const shorter = Math.min(text.length, other.length);
  let start = 0;
  while (start < shorter && text[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && text.at(-1 - end) === other.at(-1 - end)) end += 1;
  return [text.slice(0, start), text.slice(start, text.length - end), text.slice(text.length - end)];
}

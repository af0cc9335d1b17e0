import type { DomainCheckResult } from '@reachout/contract/rules/domain-advice.ts';
import { readKeyRecord, type KeyFault } from '../dkim/key-record.ts';
import { dkimName, dkimRecords, type DkimSelector, type DomainSetup } from './records-for.ts';
import { hasQuotes, openFindings, type Fault, type Findings } from './findings.ts';
import { isFromWildcard, noteInTheWay, noteMissing, noteWildcard } from './missing-records.ts';
import type { Lookups } from './resolver.ts';

/**
 * Checks the keys of both selectors. Faults of the next one are warnings: messages do not depend on it, and during a change
 * of keys, it still has the previous key.
 * @see RFC 6376 section 3.6.1
 */
export async function checkDkim(
  lookups: Lookups,
  setup: Pick<DomainSetup, 'domain' | 'selectors'>,
): Promise<DomainCheckResult> {
  const findings = openFindings();
  const [signing, next] = setup.selectors;
  await checkSelector({ lookups, findings, fault: 'fail' }, setup.domain, signing);
  await checkSelector({ lookups, findings, fault: 'warn' }, setup.domain, next);
  return findings.result(dkimRecords(setup));
}

interface Context {
  lookups: Lookups;
  findings: Findings;
  /** How bad it is if the key cannot be used. */
  fault: Fault;
}

async function checkSelector(
  context: Context,
  domain: string,
  { selector, publicKey, target }: DkimSelector,
): Promise<void> {
  const { lookups, findings, fault } = context;
  const name = dkimName(selector, domain);
  const answer = await lookups.txt(name);
  if (answer.outcome === 'found') findings.found('TXT', name, ...answer.values);
  const values = answer.outcome === 'found' ? answer.values : [];
  if (values.length === 1 && hasKey(values[0]!, publicKey)) return checkKey(context, name, values[0]!);

  if (target !== undefined) {
    const alias = await lookups.cname(name);
    if (alias.outcome === 'found') {
      findings.found('CNAME', name, ...alias.values);
      const [found = ''] = alias.values;
      // The customer's part is done, and ours is not reached: nothing that the customer could change.
      if (alias.values.includes(target) && answer.outcome === 'temporary_error')
        findings.unanswered(target, answer.code, answer.fault);
      else if (alias.values.includes(target)) findings.unanswered(target, 'ENODATA');
      else if (await isFromWildcard(lookups, 'cname', name))
        noteWildcard(context, { name, type: 'CNAME', values: alias.values });
      else findings.fault(fault, 'wrong_target', { name, found, target });
      return;
    }
  }
  if (await noteInTheWay(context, name, answer)) return;
  if (answer.outcome === 'temporary_error') findings.unanswered(name, answer.code, answer.fault);
  else if (answer.outcome === 'absent') {
    const type = target === undefined ? 'TXT' : 'CNAME';
    const isTxt = (value: string) => looksLikeKey(value, publicKey);
    const wanted = { name, domain, type, isTxt, isCname: (value: string) => value === target } as const;
    await noteMissing(context, wanted, () => {
      if (fault === 'warn') findings.fault(fault, 'dkim_second_missing', { name });
      else findings.fault(fault, 'record_missing', { name, type });
    });
  } else if (values.length > 1) findings.fault(fault, 'dkim_several', { name, count: values.length });
  else noteForeignKey(context, name, values[0]!, publicKey);
}

/** Whether the record has our key, usable or not. */
const hasKey = (record: string, publicKey: string): boolean => readKeyRecord(record).data === publicKey;

/** Whether it is a record with our key, even one that is cut off or quoted: keys of one kind begin with the same 44 characters. */
const looksLikeKey = (record: string, publicKey: string): boolean =>
  record.replaceAll(/[^A-Za-z0-9+/]/g, '').includes(publicKey.slice(0, 100));

/** @param record  the only one, with our key */
function checkKey(context: Context, name: string, record: string): void {
  const { findings } = context;
  const { faults, key, capitals, isTesting } = readKeyRecord(record);
  if (faults.length > 0) return noteFaults(context, name, record);
  if (capitals.length > 0) findings.fault('warn', 'dkim_tag_case', { name, tag: capitals.join(', ') });
  if (isTesting) findings.fault('warn', 'dkim_testing', { name });
  const bits = key?.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < 2_048) findings.fault('warn', 'dkim_short_key', { name, bits });
}

/** @param record  the only one, without our key */
function noteForeignKey(context: Context, name: string, record: string, publicKey: string): void {
  const { findings, fault } = context;
  const { data, faults } = readKeyRecord(record);
  const isReadable = data !== '' && faults.every(({ kind }) => !unreadable.has(kind));
  const isQuoted = hasQuotes(record) || record.includes('\\');
  if (isReadable && !isQuoted && publicKey.startsWith(data))
    findings.fault(fault, 'dkim_key_cut', { name, length: data.length, expected: publicKey.length });
  else if (isReadable && !isQuoted && faults.every(({ kind }) => kind !== 'base64'))
    findings.fault(fault, 'dkim_other_key', { name });
  else noteFaults(context, name, record);
}

/** What is wrong whatever the key is. */
const unreadable: ReadonlySet<KeyFault['kind']> = new Set([
  'syntax',
  'duplicate',
  'capital',
  'version',
  'other',
  'revoked',
]);

function noteFaults({ findings, fault }: Context, name: string, record: string): void {
  const { faults, capitals } = readKeyRecord(record);
  if (hasQuotes(record)) return findings.fault(fault, 'record_quotes', { name });
  if (record.includes('\\')) return findings.fault(fault, 'record_backslashes', { name });
  for (const one of faults)
    if (one.kind === 'syntax') findings.fault(fault, 'dkim_syntax', { name, term: one.term });
    else if (one.kind === 'duplicate') findings.fault(fault, 'dkim_duplicate_tag', { name, tag: one.tag });
    else if (one.kind === 'capital')
      findings.fault(fault, 'dkim_tag_case', { name, tag: capitals.join(', ') });
    else if (one.kind === 'version') findings.fault(fault, 'dkim_version', { name });
    else if (one.kind === 'algorithm') findings.fault(fault, 'dkim_algorithm', { name, value: one.value });
    else if (one.kind === 'service') findings.fault(fault, 'dkim_service', { name, value: one.value });
    else if (one.kind === 'hash') findings.fault(fault, 'dkim_hash', { name, value: one.value });
    else if (one.kind === 'revoked') findings.fault(fault, 'dkim_revoked', { name });
    else if (one.kind === 'base64') findings.fault(fault, 'dkim_bad_base64', { name });
    else findings.fault(fault, 'dkim_not_a_key', { name, value: record });
}

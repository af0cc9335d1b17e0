import { createPublicKey } from 'node:crypto';
import type { DomainCheckResult } from '@reachout/contract/rules/domain-advice.ts';
import { dkimName, type DkimSelector, type DomainSetup } from './domain-setup.ts';
import { noteMissing, openFindings, type Fault, type Findings } from './findings.ts';
import { dkimRecords } from './records-for.ts';
import type { Lookups } from './resolver.ts';
import { readTagList } from './tag-list.ts';

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
  if (values.length === 1 && isOurKey(values[0]!, publicKey)) return checkKey(context, name, values[0]!);

  if (target !== undefined) {
    const alias = await lookups.cname(name);
    if (alias.outcome === 'found') {
      findings.found('CNAME', name, ...alias.values);
      const [found = ''] = alias.values;
      if (!alias.values.includes(target)) findings.fault(fault, 'wrong_target', { name, found, target });
      // The customer's part is done, and ours is not reached: nothing that the customer could change.
      else findings.unanswered(target, answer.outcome === 'temporary_error' ? answer.code : 'ENODATA');
      return;
    }
  }
  if (answer.outcome === 'temporary_error') findings.unanswered(name, answer.code);
  else if (answer.outcome === 'absent')
    await noteMissing(context, { name, domain }, () => {
      if (fault === 'warn') findings.fault(fault, 'dkim_second_missing', { name });
      else findings.fault(fault, 'record_missing', { name, type: target === undefined ? 'TXT' : 'CNAME' });
    });
  else if (values.length > 1) findings.fault(fault, 'dkim_several', { name, count: values.length });
  else noteForeignKey(context, name, values[0]!, publicKey);
}

const keyOf = (record: string): string => (readTagList(record).tags.get('p') ?? '').replaceAll(/\s/g, '');

const isOurKey = (record: string, publicKey: string): boolean =>
  isBase64(keyOf(record)) &&
  Buffer.from(keyOf(record), 'base64').equals(Buffer.from(publicKey, 'base64')) &&
  isKeyRecord(record);

function isKeyRecord(record: string): boolean {
  const { tags, duplicate } = readTagList(record);
  const [first] = tags.keys();
  const version = tags.get('v');
  const isVersionValid = version === undefined || (version === 'DKIM1' && first === 'v');
  const algorithm = (tags.get('k') ?? 'rsa').toLowerCase();
  return tags.has('p') && duplicate === undefined && isVersionValid && algorithm === 'rsa';
}

/** @param record  with our key */
function checkKey({ findings, fault }: Context, name: string, record: string): void {
  const { tags } = readTagList(record);
  const listOf = (tag: string) =>
    tags
      .get(tag)
      ?.split(':')
      .map((entry) => entry.trim().toLowerCase());
  const services = listOf('s');
  if (services !== undefined && !services.includes('*') && !services.includes('email'))
    findings.fault(fault, 'dkim_service', { name, value: tags.get('s') ?? '' });
  const hashes = listOf('h');
  if (hashes !== undefined && !hashes.includes('sha256'))
    findings.fault(fault, 'dkim_hash', { name, value: tags.get('h') ?? '' });
  if (listOf('t')?.includes('y') === true) findings.fault('warn', 'dkim_testing', { name });
  const bits = bitsOf(keyOf(record));
  if (bits < 2_048) findings.fault('warn', 'dkim_short_key', { name, bits });
}

const bitsOf = (publicKey: string): number =>
  createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' }).asymmetricKeyDetails
    ?.modulusLength ?? 0;

/** @param record  the only one, without our key */
function noteForeignKey({ findings, fault }: Context, name: string, record: string, publicKey: string): void {
  const key = keyOf(record);
  if (/["“”„']/.test(record)) findings.fault(fault, 'record_quotes', { name });
  else if (record.includes('\\')) findings.fault(fault, 'record_backslashes', { name });
  else if (!readTagList(record).tags.has('p') || (key !== '' && key === publicKey))
    findings.fault(fault, 'dkim_not_a_key', { name, value: record });
  else if (key === '') findings.fault(fault, 'dkim_revoked', { name });
  else if (!isBase64(key)) findings.fault(fault, 'dkim_bad_base64', { name });
  else if (publicKey.startsWith(key))
    findings.fault(fault, 'dkim_key_cut', { name, length: key.length, expected: publicKey.length });
  else findings.fault(fault, 'dkim_other_key', { name });
}

const isBase64 = (text: string): boolean => /^[A-Za-z0-9+/]+={0,2}$/.test(text);

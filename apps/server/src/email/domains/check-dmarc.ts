import type { DomainCheckResult } from '@reachout/contract/rules/domain-advice.ts';
import { readTagList } from '../dkim/tag-list.ts';
import { dmarcRecord, type DomainSetup } from './records-for.ts';
import { hasQuotes, openFindings, type Findings } from './findings.ts';
import { isUnknown, noteInTheWay, noteMissing } from './missing-records.ts';
import { toName, type Lookups } from './resolver.ts';
import {
  isDmarc,
  organizationalDomain,
  policyRecord,
  walkDmarc,
  type DmarcRecord,
  type DmarcWalk,
} from './walk-dmarc.ts';

const policies = ['none', 'quarantine', 'reject'];
/** Of one record. */
const maxReportHosts = 5;

/**
 * Checks the DMARC policy of the domain of sender addresses, and whether our signature and bounce host align with it. Faults
 * of a policy that only newer or older mail servers see are warnings.
 * @param signingDomain  what messages are signed for (`d=`)
 * @see RFC 9989
 */
export async function checkDmarc(
  lookups: Lookups,
  setup: Pick<DomainSetup, 'domain' | 'bounce' | 'reportAddress'>,
  signingDomain: string = setup.domain,
): Promise<DomainCheckResult> {
  const findings = openFindings();
  const { domain } = setup;
  const wanted = [dmarcRecord(setup)];
  const walk = await walkDmarc(lookups, domain);
  const record = policyRecord(domain, walk);
  const isOwn = record?.domain === domain;
  if (record !== undefined) findings.found('TXT', `_dmarc.${record.domain}`, record.text);
  const name = `_dmarc.${domain}`;
  if (record === undefined && (await noteInTheWay({ lookups, findings }, name, await lookups.txt(name))))
    return findings.result(wanted);
  // The own record holds whatever is above it.
  if (walk.unanswered !== undefined && !isOwn) {
    findings.unanswered(walk.unanswered.name, walk.unanswered.code, walk.unanswered.fault);
    return findings.result(wanted);
  }
  noteIgnored(findings, walk, domain, record);
  if (record === undefined) {
    if (findings.result([]).verdict !== 'fail')
      await noteMissing({ lookups, findings }, { name, domain, type: 'TXT', isTxt: isDmarcLike }, () =>
        findings.fault('fail', 'dmarc_missing', { domain, value: wanted[0]!.value }),
      );
    return findings.result(wanted);
  }
  const isUsable = await checkPolicy({ lookups, findings }, record, domain);
  if (!isUsable) return findings.result(wanted);
  await checkReports({ lookups, findings }, record, organizationalDomain(record.domain, walk));
  await checkAlignment({ lookups, findings, walk }, record, {
    domain,
    signingDomain,
    bounce: setup.bounce.host,
  });
  return findings.result(isOwn ? [{ ...wanted[0]!, value: record.text }] : wanted);
}

/** Notes records that do not count: of the domain itself, and if nothing else was found, of the domains above it. */
function noteIgnored(
  findings: Findings,
  { ignored }: DmarcWalk,
  domain: string,
  record: DmarcRecord | undefined,
): void {
  for (const { domain: at, texts, duplicate } of ignored) {
    const name = `_dmarc.${at}`;
    const records = texts.filter(isDmarc);
    // Zones that answer for all names have other texts here.
    const similar = texts.find((text) => /dmarc/i.test(text));
    if (at !== domain && record !== undefined) continue;
    if (records.length > 0 || similar !== undefined || record === undefined)
      findings.found('TXT', name, ...texts);
    if (records.length > 1) findings.fault('fail', 'dmarc_several', { name, count: records.length });
    else if (duplicate !== undefined) findings.fault('fail', 'dmarc_duplicate_tag', { name, tag: duplicate });
    else if (similar !== undefined) noteSimilar(findings, name, similar);
    else if (at === domain && record === undefined)
      findings.fault('fail', 'dmarc_unusable', { name, value: texts[0]! });
  }
}

const dmarcLike = /^\s*(v\s*=\s*dmarc1)\s*(?:;|$)/i;
const isDmarcLike = (text: string): boolean => dmarcLike.test(text);

function noteSimilar(findings: Findings, name: string, text: string): void {
  const [, version] = dmarcLike.exec(text) ?? [];
  if (version !== undefined) findings.fault('fail', 'dmarc_wrong_case', { name, found: version });
  else if (hasQuotes(text)) findings.fault('fail', 'record_quotes', { name });
  else if (text.includes('\\')) findings.fault('fail', 'record_backslashes', { name });
  else findings.fault('fail', 'dmarc_unusable', { name, value: text });
}

/** @returns whether mail servers apply the record */
async function checkPolicy(
  { lookups, findings }: { lookups: Lookups; findings: Findings },
  { domain: at, text, tags }: DmarcRecord,
  domain: string,
): Promise<boolean> {
  const name = `_dmarc.${at}`;
  const valueOf = (tag: string) => tags.get(tag)?.toLowerCase();
  const isValid = (tag: string) => policies.includes(valueOf(tag) ?? 'none');
  const invalid = policies.includes(valueOf('p') ?? '') ? ['sp', 'np'].find((tag) => !isValid(tag)) : 'p';
  const hasReports = reportUris(tags.get('rua')).length > 0;
  // Without reports, such a record has no effect: RFC 9989 section 4.10.1.
  if (invalid !== undefined && !hasReports) {
    if (hasQuotes(tags.get(invalid) ?? '')) findings.fault('fail', 'record_quotes', { name });
    else findings.fault('fail', 'dmarc_no_policy', { name, value: text });
    return false;
  }
  if (invalid !== undefined && hasQuotes(tags.get(invalid) ?? ''))
    findings.fault('warn', 'record_quotes', { name });
  else if (invalid !== undefined)
    findings.fault('warn', 'dmarc_unknown_policy', { name, tag: invalid, found: tags.get(invalid) ?? '' });
  let policy = invalid === undefined ? valueOf('p')! : 'none';
  if (at !== domain) {
    if (invalid === undefined) {
      policy = valueOf('sp') ?? policy;
      const forUnknown = valueOf('np');
      if (forUnknown !== undefined && (await isUnknown(lookups, domain))) policy = forUnknown;
    }
    findings.fault('warn', 'dmarc_inherited', { domain, from: at, policy });
  }
  if (policy === 'none' && invalid === undefined) findings.fault('warn', 'dmarc_policy_none', { name });
  const { capitals } = readTagList(text, true);
  if (capitals.length > 0) findings.fault('warn', 'dmarc_tag_case', { name, tag: capitals.join(', ') });
  if (valueOf('t') === 'y') findings.fault('warn', 'dmarc_testing', { name });
  const percent = tags.get('pct');
  if (percent !== undefined && percent !== '100') findings.fault('warn', 'dmarc_pct', { name, pct: percent });
  if (!hasReports) findings.fault('warn', 'dmarc_no_reports', { name });
  return true;
}

/** @returns the valid URIs of a list, without the size that older standards allowed behind them */
const reportUris = (list = ''): string[] =>
  list
    .split(',')
    .map((uri) => uri.trim().replace(/!\d+[kmgt]?$/i, ''))
    .filter((uri) => /^[a-z][a-z\d+.-]*:[^\s,!]+$/i.test(uri));

/** Reports to another organization need its consent: RFC 9990 section 4. */
async function checkReports(
  { lookups, findings }: { lookups: Lookups; findings: Findings },
  { domain, tags }: DmarcRecord,
  organization: string,
): Promise<void> {
  const hosts = reportUris(tags.get('rua')).flatMap((uri) => /^mailto:.*@([^@?]+)/i.exec(uri)?.[1] ?? []);
  for (const host of [...new Set(hosts.map(toName))].slice(0, maxReportHosts)) {
    if (host === organization || host.endsWith(`.${organization}`) || organization.endsWith(`.${host}`))
      continue;
    const name = `${domain}._report._dmarc.${host}`;
    const answer = await lookups.txt(name);
    const hasConsent = answer.outcome === 'found' && answer.values.some(isDmarc);
    if (hasConsent) findings.found('TXT', name, ...(answer.outcome === 'found' ? answer.values : []));
    else if (answer.outcome !== 'temporary_error')
      findings.fault('warn', 'dmarc_report_consent', { domain, host, name });
  }
}

async function checkAlignment(
  { lookups, findings, walk }: { lookups: Lookups; findings: Findings; walk: DmarcWalk },
  { domain: at, tags }: DmarcRecord,
  { domain, signingDomain, bounce }: { domain: string; signingDomain: string; bounce: string },
): Promise<void> {
  const name = `_dmarc.${at}`;
  const isStrict = (tag: string) => tags.get(tag)?.toLowerCase() === 's';
  const isAligned = async (other: string): Promise<boolean> => {
    if (other === domain) return true;
    // If the walk did not reach the top, only what lies within the domain certainly belongs to it.
    if (walk.unanswered !== undefined) return other.endsWith(`.${domain}`);
    const organization = organizationalDomain(domain, walk);
    if (other !== organization && !other.endsWith(`.${organization}`)) return false;
    return organizationalDomain(other, await walkDmarc(lookups, other)) === organization;
  };
  if (signingDomain !== domain && isStrict('adkim'))
    findings.fault('fail', 'dmarc_strict_dkim', { name, domain, signing: signingDomain });
  else if (!(await isAligned(signingDomain)))
    findings.fault('fail', 'dmarc_dkim_unaligned', { domain, signing: signingDomain });
  if (bounce !== domain && isStrict('aspf')) findings.fault('warn', 'dmarc_strict_spf', { name, bounce });
  else if (!(await isAligned(bounce))) findings.fault('warn', 'dmarc_spf_unaligned', { domain, bounce });
}

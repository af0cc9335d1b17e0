import type { DomainCheckResult } from '@reachout/contract/rules/domain-advice.ts';
import { zoneOf } from './domain-name.ts';
import { trackingRecord, type DomainSetup } from './records-for.ts';
import { openFindings, type Findings } from './findings.ts';
import { isFromWildcard, maxAliases, noteMissing, noteWildcard } from './missing-records.ts';
import type { TrackingProbe, TrackingProbeResult } from './probe-tracking.ts';
import { typeOfAddress, type Lookups } from './resolver.ts';

export interface TrackingCheckOptions {
  /** Visits the host; also called again when a second resolver is asked. */
  probe: TrackingProbe;
  /** CAA names of the authorities that issue our certificates, such as `letsencrypt.org`; none if unknown. */
  issuers: readonly string[];
  now: Date;
}

/** Authorities renew 30 days before the end: then it has failed for two weeks. */
const certificateWarningDays = 14;

/** Checks that links in messages lead to us: first the records, then by a visit. */
export async function checkTracking(
  lookups: Lookups,
  setup: Pick<DomainSetup, 'domain' | 'tracking'>,
  { probe, issuers, now }: TrackingCheckOptions,
): Promise<DomainCheckResult> {
  const findings = openFindings();
  const { host, target } = setup.tracking;
  const wanted = [trackingRecord(setup)];
  if (host === zoneOf(host)) {
    findings.fault('fail', 'tracking_apex', { host });
    return findings.result(wanted);
  }
  const route = await findRoute({ lookups, findings }, host, target);
  if (route.kind === 'failed') return findings.result(wanted);
  if (route.kind === 'absent') {
    const isCname = (value: string) => value === target;
    const record = { name: host, domain: setup.domain, type: 'CNAME', isCname } as const;
    await noteMissing({ lookups, findings }, record, () =>
      findings.fault('fail', 'record_missing', { type: 'CNAME', name: host }),
    );
    return findings.result(wanted);
  }
  await checkCaa({ lookups, findings }, host, issuers);
  const { addresses } = route;
  const result = await probe(host);
  const isOurs = result.outcome === 'ok' || result.outcome === 'http_only' || result.outcome === 'not_probed';
  if (!isOurs && addresses.length > 0 && (await isFromWildcard(lookups, 'addresses', host)))
    noteWildcard({ findings }, { name: host, type: 'CNAME', values: addresses });
  else noteProbe(findings, result, { host, target, addresses, now });
  return findings.result(wanted);
}

type Route =
  /** With addresses if there is no CNAME. */
  { kind: 'usable'; addresses: string[] } | { kind: 'absent' } | { kind: 'failed' };

async function findRoute(
  { lookups, findings }: { lookups: Lookups; findings: Findings },
  host: string,
  target: string,
): Promise<Route> {
  let name = host;
  for (let step = 0; step < maxAliases; step += 1) {
    const answer = await lookups.cname(name);
    if (answer.outcome === 'temporary_error') {
      findings.unanswered(name, answer.code, answer.fault);
      return { kind: 'failed' };
    }
    if (answer.outcome === 'absent' && name !== host) {
      if (await isFromWildcard(lookups, 'cname', host))
        noteWildcard({ findings }, { name: host, type: 'CNAME', values: [name] });
      else findings.fault('fail', 'wrong_target', { name: host, found: name, target });
      return { kind: 'failed' };
    }
    if (answer.outcome === 'absent') return findAddresses({ lookups, findings }, host);
    findings.found('CNAME', name, ...answer.values);
    if (answer.values.includes(target)) return { kind: 'usable', addresses: [] };
    name = answer.values.at(-1)!;
  }
  findings.fault('fail', 'tracking_chain', { host, target, limit: maxAliases });
  return { kind: 'failed' };
}

async function findAddresses(
  { lookups, findings }: { lookups: Lookups; findings: Findings },
  host: string,
): Promise<Route> {
  const answer = await lookups.addresses(host);
  if (answer.outcome === 'absent') return { kind: 'absent' };
  if (answer.outcome === 'temporary_error') {
    findings.unanswered(host, answer.code, answer.fault);
    return { kind: 'failed' };
  }
  for (const address of answer.values) findings.found(typeOfAddress(address), host, address);
  return { kind: 'usable', addresses: answer.values };
}

/** The records of the closest name count: RFC 8659 section 3. The resolver also finds those of our target. */
async function checkCaa(
  { lookups, findings }: { lookups: Lookups; findings: Findings },
  host: string,
  issuers: readonly string[],
): Promise<void> {
  if (issuers.length === 0) return;
  const labels = host.split('.');
  for (let start = 0; start < labels.length; start += 1) {
    const name = labels.slice(start).join('.');
    const answer = await lookups.caa(name);
    if (answer.outcome === 'temporary_error') {
      findings.unanswered(name, answer.code, answer.fault);
      return;
    }
    if (answer.outcome === 'absent') continue;
    findings.found('CAA', name, ...answer.values.map(({ tag, value }) => `0 ${tag} "${value}"`));
    const allowed = answer.values
      .filter(({ tag }) => tag === 'issue')
      .map(({ value }) => value.split(';')[0]!.trim().toLowerCase());
    if (allowed.length > 0 && !allowed.some((issuer) => issuers.includes(issuer)))
      findings.fault('fail', 'tracking_caa', {
        name,
        found: allowed.filter((issuer) => issuer !== '').join(', ') || '–',
        issuers: issuers.join(', '),
      });
    return;
  }
}

function noteProbe(
  findings: Findings,
  result: TrackingProbeResult,
  { host, target, addresses, now }: { host: string; target: string; addresses: string[]; now: Date },
): void {
  const isFlattened = addresses.length > 0;
  const found = addresses.join(', ');
  if (result.outcome === 'not_probed') {
    findings.fault('temporary_error', 'tracking_not_probed', { host });
    return;
  }
  if (result.outcome === 'other_answer') {
    const { answer } = result;
    if (isFlattened) findings.fault('fail', 'tracking_proxy', { host, found, answer });
    else findings.fault('fail', 'tracking_other_answer', { host, target, answer });
    return;
  }
  if (result.outcome === 'failed') {
    if (isFlattened) findings.fault('fail', 'tracking_elsewhere', { host, found, target });
    else if (result.kind === 'certificate') findings.fault('fail', 'tracking_certificate', { host });
    else findings.fault('fail', 'tracking_unreachable', { host, reason: result.reason });
    return;
  }
  if (isFlattened) findings.fault('warn', 'tracking_flattened', { host, found, target });
  if (result.outcome === 'http_only') findings.fault('warn', 'tracking_http_only', { host });
  else if (result.certificateEndsAt !== undefined) {
    const days = Math.floor((result.certificateEndsAt.getTime() - now.getTime()) / 86_400_000);
    if (days < certificateWarningDays) findings.fault('warn', 'tracking_certificate_ends', { host, days });
  }
}

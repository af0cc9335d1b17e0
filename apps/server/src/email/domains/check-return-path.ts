import type { DomainCheckResult } from '@reachout/contract/rules/domain-advice.ts';
import { returnPathRecords, type DomainSetup } from './records-for.ts';
import { openFindings, type Findings } from './findings.ts';
import { followAliases, isFromWildcard, noteMissing, noteWildcard } from './missing-records.ts';
import type { Lookups } from './resolver.ts';

/**
 * Checks that bounces reach us: by CNAME records to our bounce host, or by MX records to a server that is ours; `checkSpf` checks
 * the SPF record.
 */
export async function checkReturnPath(
  lookups: Lookups,
  setup: Pick<DomainSetup, 'domain' | 'bounce' | 'senders'>,
): Promise<DomainCheckResult> {
  const findings = openFindings();
  const { host: name, target, mx } = setup.bounce;
  const wanted = returnPathRecords(setup);
  const { targets, hasEnd, unanswered } = await followAliases(lookups, name);
  const [alias] = targets;
  for (const [index, to] of targets.entries()) findings.found('CNAME', targets[index - 1] ?? name, to);
  const isAtTarget = target !== undefined && targets.includes(target);
  const end = isAtTarget ? targets.at(-1)! : name;
  const answer = await lookups.mx(end);
  const exchanges = answer.outcome === 'found' ? answer.values.map(({ exchange }) => exchange) : [];
  if (answer.outcome === 'found')
    findings.found('MX', end, ...answer.values.map(({ priority, exchange }) => `${priority} ${exchange}`));
  if (isAtTarget) {
    await noteServers({ lookups, findings }, setup, answer.outcome === 'absent' ? [end] : exchanges);
    return findings.result(wanted);
  }
  const ofTarget = target === undefined || exchanges.length === 0 ? undefined : await lookups.mx(target);
  const ours = [
    mx,
    ...(ofTarget?.outcome === 'found' ? ofTarget.values.map(({ exchange }) => exchange) : []),
  ];
  if (exchanges.some((exchange) => ours.includes(exchange))) {
    const others = exchanges.filter((exchange) => !ours.includes(exchange));
    if (others.length > 0) findings.fault('warn', 'return_path_extra_mx', { name, found: others.join(', ') });
    await noteServers({ lookups, findings }, setup, exchanges);
  } else if (await isFromWildcard(lookups, alias === undefined ? 'mx' : 'cname', name))
    noteWildcard(
      { findings },
      { name, type: wanted[0]!.type, values: alias === undefined ? exchanges : [alias] },
    );
  else if (!hasEnd && target !== undefined)
    findings.fault('fail', 'wrong_target', { name, found: alias!, target });
  else if (answer.outcome === 'temporary_error') findings.unanswered(name, answer.code, answer.fault);
  else if (unanswered !== undefined) findings.unanswered(unanswered.name, unanswered.code, unanswered.fault);
  else if (alias !== undefined && target !== undefined)
    findings.fault('fail', 'wrong_target', { name, found: alias, target });
  else if (alias !== undefined) findings.fault('fail', 'record_alias', { name, found: alias, type: 'MX' });
  else if (exchanges.length > 0)
    findings.fault('fail', 'return_path_other_mx', { name, found: exchanges.join(', '), mx });
  else
    await noteMissing(
      { lookups, findings },
      {
        name,
        domain: setup.domain,
        type: wanted[0]!.type as 'CNAME' | 'MX',
        isCname: (value) => value === target,
        isMx: (exchange) => exchange === mx,
      },
      () => findings.fault('fail', 'return_path_no_mx', { name }),
    );
  return findings.result(wanted);
}

/** As many mail servers as are looked up; more are backups of these. */
const maxServers = 3;

/**
 * Notes the addresses of the mail servers to which bounces go in the end. That none of them has one concerns us if we read bounces:
 * then the records are right, and ours are not.
 * @param servers  of the MX records; the host itself without any (RFC 5321 section 5.1); none if the DNS gave no answer
 */
async function noteServers(
  { lookups, findings }: { lookups: Lookups; findings: Findings },
  { bounce: { host, isRead = false } }: Pick<DomainSetup, 'bounce'>,
  servers: readonly string[],
): Promise<void> {
  const answers = await Promise.all(
    servers.slice(0, maxServers).map(async (server) => {
      const answer = await lookups.addresses(server);
      for (const address of answer.outcome === 'found' ? answer.values : [])
        findings.found(address.includes(':') ? 'AAAA' : 'A', server, address);
      return answer.outcome;
    }),
  );
  if (isRead && answers.length > 0 && answers.every((outcome) => outcome === 'absent'))
    findings.fault('warn', 'return_path_unserved', { name: host, found: servers.join(', ') });
}

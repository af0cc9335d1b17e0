import type { DomainCheckResult } from '@reachout/contract/rules/domain-advice.ts';
import { returnPathRecords, type DomainSetup } from './records-for.ts';
import { openFindings } from './findings.ts';
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
  if (target !== undefined && targets.includes(target)) return findings.result(wanted);
  const answer = await lookups.mx(name);
  const exchanges = answer.outcome === 'found' ? answer.values.map(({ exchange }) => exchange) : [];
  if (answer.outcome === 'found')
    findings.found('MX', name, ...answer.values.map(({ priority, exchange }) => `${priority} ${exchange}`));
  const ofTarget = target === undefined || exchanges.length === 0 ? undefined : await lookups.mx(target);
  const ours = [
    mx,
    ...(ofTarget?.outcome === 'found' ? ofTarget.values.map(({ exchange }) => exchange) : []),
  ];
  if (exchanges.some((exchange) => ours.includes(exchange))) {
    const others = exchanges.filter((exchange) => !ours.includes(exchange));
    if (others.length > 0) findings.fault('warn', 'return_path_extra_mx', { name, found: others.join(', ') });
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

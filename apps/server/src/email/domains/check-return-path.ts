import type { DomainCheckResult } from '@reachout/contract/rules/domain-advice.ts';
import type { DomainSetup } from './domain-setup.ts';
import { noteMissing, openFindings } from './findings.ts';
import { returnPathRecords } from './records-for.ts';
import type { Lookups } from './resolver.ts';

/** Checks that bounces reach us: by a CNAME to our bounce host, or by an MX record; `checkSpf` checks the SPF record. */
export async function checkReturnPath(
  lookups: Lookups,
  setup: Pick<DomainSetup, 'domain' | 'bounce' | 'senders'>,
): Promise<DomainCheckResult> {
  const findings = openFindings();
  const { host: name, target, mx } = setup.bounce;
  const wanted = returnPathRecords(setup);
  const alias = await lookups.cname(name);
  if (alias.outcome === 'found') {
    findings.found('CNAME', name, ...alias.values);
    if (target !== undefined && alias.values.includes(target)) return findings.result(wanted);
  }
  const answer = await lookups.mx(name);
  const exchanges = answer.outcome === 'found' ? answer.values.map(({ exchange }) => exchange) : [];
  if (answer.outcome === 'found')
    findings.found('MX', name, ...answer.values.map(({ priority, exchange }) => `${priority} ${exchange}`));
  if (exchanges.includes(mx)) {
    const others = exchanges.filter((exchange) => exchange !== mx);
    if (others.length > 0) findings.fault('warn', 'return_path_extra_mx', { name, found: others.join(', ') });
  } else if (answer.outcome === 'temporary_error') findings.unanswered(name, answer.code);
  else if (alias.outcome === 'temporary_error') findings.unanswered(name, alias.code);
  else if (alias.outcome === 'found' && target !== undefined)
    findings.fault('fail', 'wrong_target', { name, found: alias.values[0]!, target });
  else if (exchanges.length > 0)
    findings.fault('fail', 'return_path_other_mx', { name, found: exchanges.join(', '), mx });
  else
    await noteMissing({ lookups, findings }, { name, domain: setup.domain, hasMx: true }, () =>
      findings.fault('fail', 'return_path_no_mx', { name }),
    );
  return findings.result(wanted);
}

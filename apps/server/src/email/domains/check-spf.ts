import {
  maxAdviceParamLength,
  type DnsRecord,
  type DomainCheckResult,
} from '@reachout/contract/rules/domain-advice.ts';
import { zoneOf } from './domain-name.ts';
import { spfTermsOf, returnPathRecords, type DomainSetup, type SpfSenders } from './records-for.ts';
import { hasQuotes, openFindings, type Fault, type Findings } from './findings.ts';
import { followAliases, isFromWildcard, noteInTheWay, noteMissing, noteWildcard } from './missing-records.ts';
import type { Lookups } from './resolver.ts';
import {
  coversNetworks,
  evaluateSpf,
  passingNodes,
  walkSpf,
  type SpfProblem,
  type SpfTree,
} from './walk-spf.ts';

/** Limits of RFC 7208 section 4.6.4. */
const maxLookups = 10;
const maxVoids = 2;
/** From here on, one more service can exceed the limit. */
const manyLookups = 9;

/**
 * Checks the SPF records of the bounce host, by which messages pass, and of the domain of sender addresses, where some mail
 * servers look, too.
 */
export async function checkSpf(
  lookups: Lookups,
  setup: Pick<DomainSetup, 'domain' | 'bounce' | 'senders'>,
): Promise<DomainCheckResult> {
  const findings = openFindings();
  const context = { lookups, findings, setup };
  const { domain, bounce } = setup;
  const ofBounce = await checkName(context, bounce.host, false);
  const wanted = bounce.target === undefined ? [ofBounce.wanted] : returnPathRecords(setup);
  if (domain !== bounce.host) wanted.push((await checkName(context, domain, ofBounce.passes)).wanted);
  return findings.result(wanted);
}

interface Context {
  lookups: Lookups;
  findings: Findings;
  setup: Pick<DomainSetup, 'domain' | 'bounce' | 'senders'>;
}

/** @param isSecondary  whether messages pass without this name */
async function checkName(
  { lookups, findings, setup }: Context,
  name: string,
  isSecondary: boolean,
): Promise<{ passes: boolean; wanted: DnsRecord }> {
  const tree = await walkSpf(lookups, name);
  const { records } = tree.root;
  findings.found('TXT', name, ...records);
  const covered = await covers(lookups, tree, setup.senders);
  const isCovered = covered === true;
  const terms = spfTermsOf(setup.senders);
  const unreadable = tree.problems.flatMap((problem) =>
    problem.kind === 'syntax' && problem.name === name ? [problem.term] : [],
  );
  const value = mergeSpf(records, isCovered ? [] : terms, unreadable);
  const context = { lookups, findings, setup };
  const fault = isSecondary ? 'warn' : 'fail';
  if (!isCovered && (await noteOther(context, { name, records, fault })))
    return { passes: false, wanted: { type: 'TXT', name, value } };
  if (tree.unanswered !== undefined)
    findings.unanswered(tree.unanswered.name, tree.unanswered.code, tree.unanswered.fault);
  const isValid = checkTree(findings, tree);
  if (records.length === 0 && tree.unanswered === undefined)
    await noteAbsent(context, { name, value, isSecondary });
  if (records.length > 1) {
    const count = records.length;
    if (value.length > maxAdviceParamLength) findings.fault('fail', 'spf_several', { name, count });
    else findings.fault('fail', 'spf_mergeable', { name, count, merged: value });
  }
  // What is not known can cover our servers, too.
  const isOpen =
    covered === 'open' ||
    tree.unanswered !== undefined ||
    tree.macros.length > 0 ||
    tree.isCut ||
    unreadable.length > 0;
  if (records.length === 1 && !isCovered && !isOpen) {
    const params = { name, terms: terms.join(' '), value };
    if (isSecondary) findings.fault('warn', 'spf_from_not_covered', params);
    else findings.fault('fail', 'spf_not_covered', params);
  }
  return {
    passes: records.length === 1 && isValid && (isCovered || isOpen),
    wanted: { type: 'TXT', name, value },
  };
}

/** @returns whether a wildcard or a CNAME is in the way of the record that the name needs */
async function noteOther(
  { lookups, findings, setup }: Context,
  { name, records, fault }: { name: string; records: string[]; fault: Fault },
): Promise<boolean> {
  const { host, target } = setup.bounce;
  if (name === zoneOf(setup.domain)) return false;
  if (name !== host || target === undefined) {
    const answer = await lookups.txt(name);
    const isOther = answer.outcome === 'found' && records.length === 0;
    return await noteInTheWay(
      { lookups, findings, fault },
      name,
      isOther ? { outcome: 'absent', reason: 'no_data' } : answer,
    );
  }
  const { targets, hasEnd, unanswered } = await followAliases(lookups, name);
  const [alias] = targets;
  if (unanswered !== undefined || targets.includes(target)) return false;
  if (alias === undefined && records.length === 0) return false;
  if (await isFromWildcard(lookups, alias === undefined ? 'txt' : 'cname', name))
    noteWildcard(
      { findings, fault },
      { name, type: 'CNAME', values: alias === undefined ? records : [alias] },
    );
  else if (alias !== undefined && (records.length === 0 || !hasEnd))
    findings.fault(fault, 'wrong_target', { name, found: alias, target });
  else return false;
  if (alias !== undefined) findings.found('CNAME', name, alias);
  return true;
}

async function noteAbsent(
  { lookups, findings, setup }: Context,
  { name, value, isSecondary }: { name: string; value: string; isSecondary: boolean },
): Promise<void> {
  const answer = await lookups.txt(name);
  const quoted =
    answer.outcome === 'found' ? answer.values.filter((text) => hasQuotes(text) && /v=spf1/i.test(text)) : [];
  if (quoted.length > 0) {
    findings.found('TXT', name, ...quoted);
    findings.fault('fail', 'record_quotes', { name });
    return;
  }
  const [similar] =
    answer.outcome === 'found' ? answer.values.filter((text) => /^\W*(?:v\W*)?spf1?\b/i.test(text)) : [];
  if (similar !== undefined) {
    findings.found('TXT', name, similar);
    findings.fault(isSecondary ? 'warn' : 'fail', 'spf_unusable', { name, value: similar });
    return;
  }
  const fault = isSecondary ? 'warn' : 'fail';
  const { domain, bounce, senders } = setup;
  const target = name === bounce.host ? bounce.target : undefined;
  const isOurs = (text: string) =>
    /v=spf1/i.test(text) && spfTermsOf(senders).some((term) => text.toLowerCase().includes(term));
  await noteMissing(
    { lookups, findings, fault },
    target === undefined
      ? { name, domain, type: 'TXT', isTxt: isOurs, exceptAt: name === domain ? bounce.host : domain }
      : { name, domain, type: 'CNAME', isCname: (alias) => alias === target },
    () => {
      if (isSecondary) findings.fault('warn', 'spf_from_missing', { name, value });
      else if (target !== undefined) findings.fault('fail', 'record_missing', { name, type: 'CNAME' });
      else findings.fault('fail', 'spf_missing', { name, value });
    },
  );
}

/** @returns whether mail servers can use the record */
function checkTree(findings: Findings, tree: SpfTree): boolean {
  const { name } = tree.root;
  for (const problem of tree.problems) noteProblem(findings, name, problem);
  const count = tree.isCut ? `> ${tree.lookups}` : tree.lookups;
  const heaviest = heaviestOf(tree);
  if (tree.lookups > maxLookups) findings.fault('fail', 'spf_too_many_lookups', { name, count, heaviest });
  else if (tree.lookups >= manyLookups) findings.fault('warn', 'spf_many_lookups', { name, count, heaviest });
  if (tree.voids.length > maxVoids)
    findings.fault('fail', 'spf_void_lookups', {
      name,
      count: tree.voids.length,
      names: tree.voids.join(', '),
    });
  const isOpenToAll = checkAll(findings, tree);
  if (tree.hasPtr) findings.fault('warn', 'spf_ptr', { name });
  for (const term of tree.macros) findings.fault('warn', 'spf_macros', { name, term });
  return (
    tree.problems.length === 0 && tree.lookups <= maxLookups && tree.voids.length <= maxVoids && !isOpenToAll
  );
}

function noteProblem(findings: Findings, name: string, problem: SpfProblem): void {
  if (problem.kind === 'syntax' && hasQuotes(problem.term))
    findings.fault('fail', 'record_quotes', { name: problem.name });
  else if (problem.kind === 'syntax')
    findings.fault('fail', 'spf_syntax', { name: problem.name, term: problem.term });
  else if (problem.kind === 'loop') findings.fault('fail', 'spf_loop', { name, through: problem.name });
  else if (problem.kind === 'missing')
    findings.fault('fail', 'spf_include_missing', { name, include: problem.name });
  else if (problem.kind === 'several')
    findings.fault('fail', 'spf_include_several', { name, include: problem.name });
  else findings.fault('fail', 'spf_mx_hosts', { name, host: problem.name });
}

/** @returns whether everyone passes */
function checkAll(findings: Findings, { root, problems }: SpfTree): boolean {
  const { name } = root;
  const open = passingNodes(root).find((node) => allOf(node) === '+');
  if (open === root) findings.fault('fail', 'spf_all_pass', { name });
  else if (open !== undefined) findings.fault('fail', 'spf_include_all_pass', { name, include: open.name });
  let last = root;
  while (allOf(last) === undefined && last.redirect?.child !== undefined) last = last.redirect.child;
  const hasRecord = last.records.length === 1 && problems.every((problem) => problem.name !== last.name);
  const isUnknown = last.redirect !== undefined && last.redirect.child === undefined;
  if (hasRecord && allOf(last) === undefined && !isUnknown)
    findings.fault('warn', 'spf_no_all', { name: last.name });
  if (allOf(last) === '?') findings.fault('warn', 'spf_neutral_all', { name: last.name });
  return open !== undefined;
}

const allOf = ({ terms }: SpfTree['root']) => terms.find(({ mechanism }) => mechanism === 'all')?.qualifier;

/** @returns the terms of the record itself that need most lookups */
const heaviestOf = ({ root }: SpfTree): string =>
  [...root.terms, ...(root.redirect === undefined ? [] : [root.redirect])]
    .filter((term) => term.lookups > 0)
    .toSorted((one, other) => other.lookups - one.lookups)
    .slice(0, 3)
    .map((term) => `${term.text} (${term.lookups})`)
    .join(', ');

/** Whether a record names our include, or whatever it lists, in other words. */
async function covers(
  lookups: Lookups,
  { root }: SpfTree,
  { addresses, include }: SpfSenders,
): Promise<boolean | 'open'> {
  const nodes = passingNodes(root);
  if (include !== undefined && nodes.some((node) => node.name === include && node.records.length === 1))
    return true;
  const isEmpty = nodes.every(({ terms }) => terms.every(({ networks }) => networks === undefined));
  if (root.records.length !== 1 || isEmpty) return false;
  if (addresses.length > 0 && addresses.every((address) => evaluateSpf(root, address) === '+')) return true;
  if (include === undefined) return false;
  const own = await walkSpf(lookups, include);
  if (own.unanswered !== undefined) return 'open';
  return coversNetworks(root, own.root);
}

/**
 * @param records  of one name, in their order
 * @param missing  terms to add
 * @param unreadable  terms to leave out
 * @returns one record with all of their terms; what it says of all others is the mildest of them, and never less than `~all`
 */
function mergeSpf(
  records: readonly string[],
  missing: readonly string[],
  unreadable: readonly string[],
): string {
  const terms = records.flatMap((record) =>
    record
      .split(/ +/)
      .slice(1)
      .filter((term) => term !== '' && !unreadable.includes(term)),
  );
  const alls = terms.filter((term) => /^[+?~-]?all$/i.test(term));
  const redirects = terms.filter((term) => /^redirect=/i.test(term));
  const others = terms.filter((term) => !alls.includes(term) && !redirects.includes(term));
  const keepsRedirect = alls.length === 0 && redirects.length === 1;
  const includes = keepsRedirect ? [] : redirects.map((term) => term.replace(/^redirect=/i, 'include:'));
  const isStrict = alls.length > 0 && alls.every((term) => term.startsWith('-'));
  const end = keepsRedirect ? redirects[0]! : isStrict ? '-all' : '~all';
  return ['v=spf1', ...new Set([...others, ...includes, ...missing]), end].join(' ');
}

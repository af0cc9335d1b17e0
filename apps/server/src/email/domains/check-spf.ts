import {
  maxAdviceParamLength,
  type DnsRecord,
  type DomainCheckResult,
} from '@reachout/contract/rules/domain-advice.ts';
import { spfTermsOf, type DomainSetup, type SpfSenders } from './domain-setup.ts';
import { hasQuotes, noteMissing, openFindings, type Findings } from './findings.ts';
import { returnPathRecords } from './records-for.ts';
import type { Lookups } from './resolver.ts';
import { evaluateSpf, passingNodes, walkSpf, type SpfProblem, type SpfTree } from './walk-spf.ts';

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
  if (tree.unanswered !== undefined) findings.unanswered(tree.unanswered.name, tree.unanswered.code);
  const isCovered = covers(tree, setup.senders);
  const terms = spfTermsOf(setup.senders);
  const unreadable = tree.problems.flatMap((problem) =>
    problem.kind === 'syntax' && problem.name === name ? [problem.term] : [],
  );
  const value = mergeSpf(records, isCovered ? [] : terms, unreadable);
  const isValid = checkTree(findings, tree);
  if (records.length === 0 && tree.unanswered === undefined)
    await noteAbsent({ lookups, findings, setup }, { name, value, isSecondary });
  if (records.length > 1) {
    const count = records.length;
    if (value.length > maxAdviceParamLength) findings.fault('fail', 'spf_several', { name, count });
    else findings.fault('fail', 'spf_mergeable', { name, count, merged: value });
  }
  // What is not known can cover our servers, too.
  const isOpen =
    tree.unanswered !== undefined || tree.macros.length > 0 || tree.isCut || unreadable.length > 0;
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
  const fault = isSecondary ? 'warn' : 'fail';
  await noteMissing({ lookups, findings, fault }, { name, domain: setup.domain }, () => {
    if (isSecondary) findings.fault('warn', 'spf_from_missing', { name, value });
    else if (name === setup.bounce.host && setup.bounce.target !== undefined)
      findings.fault('fail', 'record_missing', { name, type: 'CNAME' });
    else findings.fault('fail', 'spf_missing', { name, value });
  });
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
  if (problem.kind === 'syntax')
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

function covers({ root }: SpfTree, { addresses, include }: SpfSenders): boolean {
  if (
    include !== undefined &&
    passingNodes(root).some((node) => node.name === include && node.records.length === 1)
  )
    return true;
  if (addresses.length === 0) return include === undefined;
  return addresses.every((address) => evaluateSpf(root, address) === '+');
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

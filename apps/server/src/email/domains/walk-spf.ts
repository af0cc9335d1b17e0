import ipaddr from 'ipaddr.js';
import { toName, type Lookups, type UnansweredName } from './resolver.ts';

export type SpfQualifier = '+' | '-' | '~' | '?';

export interface SpfTerm {
  /** As in the record. */
  text: string;
  qualifier: SpfQualifier;
  mechanism: string;
  /** Of the domain-spec; undefined without one, or if it has macros. */
  name?: string;
  /** Of `ip4`, `ip6`, `a` and `mx`. */
  networks?: Network[];
  /** Of `include`. */
  child?: SpfNode;
  /** Lookups of the term and everything below it. */
  lookups: number;
}

type Network = [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

export interface SpfNode {
  name: string;
  /** All SPF records of the name; only one is walked. */
  records: string[];
  /** Up to `all`: what follows it has no effect. */
  terms: SpfTerm[];
  redirect?: SpfTerm;
}

export type SpfProblem =
  | { kind: 'syntax'; name: string; term: string }
  | { kind: 'loop'; name: string }
  | { kind: 'missing' | 'several'; name: string }
  | { kind: 'mx_hosts'; name: string };

/** A record with everything that it refers to. */
export interface SpfTree {
  root: SpfNode;
  /** Terms that need the DNS, over the whole tree; a mail server stops at the first match. */
  lookups: number;
  /** Whether the walk ended at `maxLookups`, so that there may be more. */
  isCut: boolean;
  /** Names without records. */
  voids: string[];
  problems: SpfProblem[];
  /** Terms with macros, whose names depend on the message. */
  macros: string[];
  hasPtr: boolean;
  unanswered?: UnansweredName;
}

/** Enough to tell how far a record is above the limit of 10. */
const maxLookups = 20;
const maxMxHosts = 10;

/**
 * Walks the record of a name and all that it refers to.
 * @see RFC 7208 sections 4.6.4, 5 and 6
 */
export async function walkSpf(lookups: Lookups, name: string): Promise<SpfTree> {
  const tree: SpfTree = {
    root: { name, records: [], terms: [] },
    lookups: 0,
    isCut: false,
    voids: [],
    problems: [],
    macros: [],
    hasPtr: false,
  };
  tree.root = await walkNode(lookups, tree, name, []);
  return tree;
}

/** @param above  the names whose records lead here */
async function walkNode(
  lookups: Lookups,
  tree: SpfTree,
  name: string,
  above: readonly string[],
): Promise<SpfNode> {
  const node: SpfNode = { name, records: [], terms: [] };
  if (above.includes(name)) {
    tree.problems.push({ kind: 'loop', name });
    return node;
  }
  const answer = await lookups.txt(name);
  if (answer.outcome === 'temporary_error') tree.unanswered ??= { ...answer, name };
  if (answer.outcome === 'absent' && above.length > 0) noteVoid(tree, name);
  node.records = answer.outcome === 'found' ? answer.values.filter(isSpf) : [];
  if (node.records.length !== 1) {
    if (above.length > 0 && answer.outcome !== 'temporary_error')
      tree.problems.push({ kind: node.records.length === 0 ? 'missing' : 'several', name });
    return node;
  }
  const parsed = parseRecord(node.records[0]!);
  if ('badTerm' in parsed) {
    tree.problems.push({ kind: 'syntax', name, term: parsed.badTerm });
    return node;
  }
  for (const term of parsed.terms) {
    node.terms.push(term);
    await walkTerm(lookups, tree, term, [...above, name]);
    if (term.mechanism === 'all') return node;
  }
  if (parsed.redirect !== undefined) {
    node.redirect = parsed.redirect;
    await walkTerm(lookups, tree, parsed.redirect, [...above, name]);
  }
  return node;
}

const isSpf = (record: string): boolean => /^v=spf1(?: |$)/i.test(record);

const withLookup = new Set(['include', 'redirect', 'a', 'mx', 'ptr', 'exists']);

/** @param path  the names up to that of the term's record */
async function walkTerm(
  lookups: Lookups,
  tree: SpfTree,
  term: SpfTerm,
  path: readonly string[],
): Promise<void> {
  if (!withLookup.has(term.mechanism)) return;
  if (tree.lookups >= maxLookups) {
    tree.isCut = true;
    return;
  }
  const before = tree.lookups;
  tree.lookups += 1;
  if (term.mechanism === 'ptr') tree.hasPtr = true;
  else if (term.text.includes('%')) tree.macros.push(term.text);
  else if (term.mechanism === 'include' || term.mechanism === 'redirect')
    term.child = await walkNode(lookups, tree, term.name!, path);
  else await findHosts(lookups, tree, term, term.name ?? path.at(-1)!);
  term.lookups = tree.lookups - before;
}

/** Of `a`, `mx` and `exists`. */
async function findHosts(lookups: Lookups, tree: SpfTree, term: SpfTerm, name: string): Promise<void> {
  const hosts = [name];
  if (term.mechanism === 'mx') {
    const answer = await lookups.mx(name);
    if (answer.outcome === 'temporary_error') tree.unanswered ??= { ...answer, name };
    if (answer.outcome === 'absent') noteVoid(tree, name);
    const exchanges = answer.outcome === 'found' ? answer.values.map(({ exchange }) => exchange) : [];
    if (exchanges.length > maxMxHosts) tree.problems.push({ kind: 'mx_hosts', name });
    hosts.splice(0, 1, ...exchanges.filter((exchange) => exchange !== '').slice(0, maxMxHosts));
  }
  for (const host of hosts) {
    const answer = await lookups.addresses(host);
    if (answer.outcome === 'temporary_error') tree.unanswered ??= { ...answer, name: host };
    if (answer.outcome === 'absent' && term.mechanism !== 'mx') noteVoid(tree, host);
    if (answer.outcome !== 'found' || term.mechanism === 'exists') continue;
    const [bits4, bits6] = prefixesOf(term.text);
    term.networks ??= [];
    for (const address of answer.values.map((value) => ipaddr.parse(value)))
      term.networks.push([address, address.kind() === 'ipv4' ? bits4 : bits6]);
  }
}

const noteVoid = (tree: SpfTree, name: string): void => {
  if (!tree.voids.includes(name)) tree.voids.push(name);
};

/** @returns the terms without the version, or the first one that is against the syntax (RFC 7208 section 12) */
function parseRecord(record: string): { terms: SpfTerm[]; redirect?: SpfTerm } | { badTerm: string } {
  const terms: SpfTerm[] = [];
  let redirect: SpfTerm | undefined;
  let hasExplanation = false;
  for (const text of record.split(' ').slice(1)) {
    if (text === '') continue;
    const modifier = /^([a-z][a-z\d_.-]*)=([!-~]*)$/i.exec(text);
    if (modifier !== null) {
      const name = modifier[1]!.toLowerCase();
      if ((name === 'redirect' && redirect !== undefined) || (name === 'exp' && hasExplanation))
        return { badTerm: text };
      if (name === 'exp') hasExplanation = true;
      if (name !== 'redirect') continue;
      if (!isTarget(modifier[2]!)) return { badTerm: text };
      redirect = { text, qualifier: '+', mechanism: name, lookups: 0, ...targetOf(modifier[2]!) };
      continue;
    }
    const term = parseMechanism(text);
    if (term === undefined) return { badTerm: text };
    terms.push(term);
  }
  return { terms, ...(redirect !== undefined && { redirect }) };
}

function parseMechanism(text: string): SpfTerm | undefined {
  const [, sign, word, rest = ''] = /^([+?~-]?)([a-z\d]+)((?:[:/][!-~]*)?)$/i.exec(text) ?? [];
  if (word === undefined) return undefined;
  const mechanism = word.toLowerCase();
  const term: SpfTerm = {
    text,
    qualifier: sign === '' ? '+' : (sign as SpfQualifier),
    mechanism,
    lookups: 0,
  };
  if (mechanism === 'all') return rest === '' ? term : undefined;
  if (mechanism === 'ip4' || mechanism === 'ip6') {
    const network = parseNetwork(mechanism, rest.slice(1));
    return rest.startsWith(':') && network !== undefined ? { ...term, networks: [network] } : undefined;
  }
  if (mechanism === 'a' || mechanism === 'mx') {
    const target = rest.replace(prefix, '');
    const [bits4, bits6] = prefixesOf(text);
    if (bits4 > 32 || bits6 > 128 || target.startsWith('/')) return undefined;
    return target === '' ? term : withTarget(term, target);
  }
  if (mechanism === 'ptr' && rest === '') return term;
  if (mechanism === 'include' || mechanism === 'exists' || mechanism === 'ptr')
    return rest.startsWith(':') ? withTarget(term, rest) : undefined;
  return undefined;
}

const withTarget = (term: SpfTerm, rest: string): SpfTerm | undefined =>
  isTarget(rest.slice(1)) ? { ...term, ...targetOf(rest.slice(1)) } : undefined;

/** RFC 1035 section 2.3.4, with the last dot. */
const maxNameLength = 254;

/** A domain-spec: a name with at least two labels, or macros, which are only checked for their form. */
const isTarget = (text: string): boolean =>
  text.includes('%')
    ? !/%(?!\{[slodiphcrtv]\d*r?[.+,/_=-]*\}|[%_-])/i.test(text)
    : // The pattern takes quadratic time.
      text.length <= maxNameLength && /^[^./]+(?:\.[^./]+)*\.(?:[a-z\d-]*[a-z-][a-z\d-]*)\.?$/i.test(text);

const targetOf = (text: string): { name?: string } => (text.includes('%') ? {} : { name: toName(text) });

/** The lengths of prefixes at the end of `a` and `mx`: `/24`, `//64` or `/24//64`. */
const prefix = /(?:\/(\d{1,3}))?(?:\/\/(\d{1,3}))?$/;

function prefixesOf(text: string): [bits4: number, bits6: number] {
  const [, bits4 = '32', bits6 = '128'] = prefix.exec(text) ?? [];
  return [Number(bits4), Number(bits6)];
}

function parseNetwork(mechanism: 'ip4' | 'ip6', text: string): Network | undefined {
  const [, address = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const isValid =
    mechanism === 'ip4'
      ? ipaddr.IPv4.isValidFourPartDecimal(address)
      : ipaddr.IPv6.isValid(address) && !address.includes('%');
  const maxBits = mechanism === 'ip4' ? 32 : 128;
  const bits = Number(length ?? maxBits);
  return isValid && bits <= maxBits ? [ipaddr.parse(address), bits] : undefined;
}

/**
 * What the record says of an address. Terms that depend on the message do not match.
 * @returns undefined if nothing matches
 */
export function evaluateSpf(node: SpfNode, address: string): SpfQualifier | undefined {
  const ip = ipaddr.process(address);
  for (const term of node.terms) {
    if (term.mechanism === 'all') return term.qualifier;
    if (term.mechanism === 'include') {
      if (term.child !== undefined && evaluateSpf(term.child, address) === '+') return term.qualifier;
    } else if (
      term.networks?.some(([network, bits]) => network.kind() === ip.kind() && ip.match(network, bits)) ===
      true
    )
      return term.qualifier;
  }
  return node.redirect?.child === undefined ? undefined : evaluateSpf(node.redirect.child, address);
}

/** Addresses that are tried: what a record says changes only where one of its networks begins, or behind its end. */
const maxBoundaries = 300;

/**
 * Whether a record lets all pass that another one names with `ip4`, `ip6`, `a` or `mx`, in whatever networks it does so.
 * @returns false if that would take too long to tell
 */
export function coversNetworks(node: SpfNode, other: SpfNode): boolean {
  const ours = networksOf(passingNodes(other), '+').map(rangeOf);
  const boundaries = networksOf(nodesOf(node)).flatMap((network) => {
    const [kind, first, last] = rangeOf(network);
    return [[kind, first] as const, [kind, last + 1n] as const];
  });
  const tried = new Set(
    ours.flatMap((range) => [
      addressOf(range[0], range[1]),
      ...boundaries
        .filter(([kind, at]) => kind === range[0] && at > range[1] && at <= range[2])
        .map(([kind, at]) => addressOf(kind, at)),
    ]),
  );
  return (
    ours.length > 0 &&
    tried.size <= maxBoundaries &&
    [...tried].every((address) => evaluateSpf(node, address) === '+')
  );
}

type Range = [kind: 'ipv4' | 'ipv6', first: bigint, last: bigint];

function rangeOf([address, bits]: Network): Range {
  const bytes = address.toByteArray();
  const size = BigInt(bytes.length * 8 - bits);
  const first = (BigInt(`0x${Buffer.from(bytes).toString('hex')}`) >> size) << size;
  return [address.kind(), first, first + (1n << size) - 1n];
}

function addressOf(kind: Range[0], value: bigint): string {
  const hex = value.toString(16).padStart(kind === 'ipv4' ? 8 : 32, '0');
  return ipaddr.fromByteArray([...Buffer.from(hex, 'hex')]).toString();
}

const nodesOf = (node: SpfNode): SpfNode[] => [
  node,
  ...[...node.terms, node.redirect].flatMap((term) => (term?.child === undefined ? [] : nodesOf(term.child))),
];

/** @param qualifier  of the terms; any without it */
const networksOf = (nodes: readonly SpfNode[], qualifier?: SpfQualifier): Network[] =>
  nodes.flatMap(({ terms }) =>
    terms.flatMap((term) =>
      qualifier === undefined || term.qualifier === qualifier ? (term.networks ?? []) : [],
    ),
  );

/** @returns the nodes whose mechanisms can make messages pass, by `include` and `redirect` */
export function passingNodes(node: SpfNode): SpfNode[] {
  const children = node.terms
    .filter(({ mechanism, qualifier }) => mechanism === 'include' && qualifier === '+')
    .map(({ child }) => child);
  return [
    node,
    ...[...children, node.redirect?.child].flatMap((child) =>
      child === undefined ? [] : passingNodes(child),
    ),
  ];
}

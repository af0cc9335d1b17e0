import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { before, suite, test } from 'node:test';
import { describeDomainAdvice } from '@reachout/contract/rules/domain-advice-text.ts';
import type { DomainAdviceCode, DomainCheckResult } from '@reachout/contract/rules/domain-advice.ts';
import { dmarc as verifyDmarc, spf } from 'mailauth';
import { createRandom } from '../../platform/random.ts';
import { startDnsServer, type Zone, type ZoneRecords } from '../../testing/dns-server.ts';
import { useOpened } from '../../testing/use-made.ts';
import { verifyWithMailauth } from '../../testing/verify-with-mailauth.ts';
import { assertColumn } from '../../testing/assert-column.ts';
import { createSigner } from '../dkim/create-signer.ts';
import { verifySignature } from '../dkim/verify-signature.ts';
import { checkDkim } from './check-dkim.ts';
import { checkDmarc } from './check-dmarc.ts';
import { checkReturnPath } from './check-return-path.ts';
import { checkSpf } from './check-spf.ts';
import { checkTracking } from './check-tracking.ts';
import type { DomainSetup } from './records-for.ts';
import type { TrackingProbeResult } from './probe-tracking.ts';
import { queryLimits, withLookups, type DnsAnswer } from './resolver.ts';
import { createCheckRunner, type CheckRunner } from './run-check.ts';
import { organizationalDomain, policyRecord, walkDmarc } from './walk-dmarc.ts';
import { evaluateSpf, walkSpf } from './walk-spf.ts';

const keyOf = (bits: number) =>
  generateKeyPairSync('rsa', { modulusLength: bits })
    .publicKey.export({ type: 'spki', format: 'der' })
    .toString('base64');
const [key, nextKey, otherKey, shortKey] = [keyOf(2_048), keyOf(2_048), keyOf(2_048), keyOf(1_024)];
const dkim = (publicKey: string) => `v=DKIM1; k=rsa; p=${publicKey}`;

const now = new Date('2026-11-01T12:00:00Z');
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000);
const ok: TrackingProbeResult = { outcome: 'ok', certificateEndsAt: inDays(60) };

/** Our own names. */
const platform: Zone = {
  'bounce.reachout.test': { MX: ['10 mx.reachout.test'], TXT: ['v=spf1 include:_spf.reachout.test -all'] },
  '_spf.reachout.test': { TXT: ['v=spf1 ip4:192.0.2.10 ip6:2001:db8::10 -all'] },
  '_nets.reachout.test': {
    TXT: ['v=spf1 ip4:192.0.2.0/25 a:nets.reachout.test ip6:2001:db8:1::/48 ~all'],
  },
  'nets.reachout.test': { A: ['192.0.2.200'] },
  'links.reachout.test': { A: ['192.0.2.80'] },
  'r1.keys.reachout.test': { TXT: [dkim(key)] },
  'r2.keys.reachout.test': { TXT: [dkim(nextKey)] },
  'wide-open.test': { TXT: ['v=spf1 +all'] },
  'silent.test': 'silent',
};

const setupOf = (domain: string): DomainSetup => ({
  domain,
  selectors: [
    { selector: 'r1', publicKey: key },
    { selector: 'r2', publicKey: nextKey },
  ],
  bounce: { host: `bounce.${domain}`, target: 'bounce.reachout.test', mx: 'mx.reachout.test' },
  senders: { addresses: ['192.0.2.10', '2001:db8::10'], include: '_spf.reachout.test' },
  reportAddress: `dmarc@${domain}`,
  tracking: { host: `click.${domain}`, target: 'links.reachout.test' },
});

const goodSpf = { TXT: ['site-verification=1', 'v=spf1 include:_spf.reachout.test ~all'] };
const goodZone = (domain: string): Zone => ({
  [domain]: goodSpf,
  [`r1._domainkey.${domain}`]: { TXT: [dkim(key)] },
  [`r2._domainkey.${domain}`]: { TXT: [dkim(nextKey)] },
  [`bounce.${domain}`]: { CNAME: 'bounce.reachout.test' },
  [`_dmarc.${domain}`]: { TXT: [`v=DMARC1; p=reject; rua=mailto:dmarc@${domain}`] },
  [`click.${domain}`]: { CNAME: 'links.reachout.test' },
});

type CheckName = 'dkim' | 'spf' | 'return_path' | 'dmarc' | 'tracking';
type Expected = [verdict: DomainCheckResult['verdict'], ...advice: DomainAdviceCode[]];

interface Case extends Partial<Record<CheckName, Expected>> {
  /** Without it, each case has its own. */
  domain?: string;
  /** Replaces or, with undefined, removes records of the good zone. `<d>` stands for the domain. */
  zone?: Record<string, Zone[string] | undefined>;
  setup?: (setup: DomainSetup) => Partial<DomainSetup>;
  probe?: TrackingProbeResult;
  /** `d=` of signatures. */
  signingDomain?: string;
}

const domainSpf = (record: string) => ({ '<d>': { TXT: [record] } });
const dmarc = (...records: string[]) => ({ '_dmarc.<d>': { TXT: records } });
const r1 = (...records: string[]) => ({ 'r1._domainkey.<d>': { TXT: records } });
const flattened = { 'click.<d>': { A: ['192.0.2.80'], AAAA: ['2001:db8::80'] } };
const delegated = (setup: DomainSetup): Partial<DomainSetup> => ({
  selectors: [
    { ...setup.selectors[0], target: 'r1.keys.reachout.test' },
    { ...setup.selectors[1], target: 'r2.keys.reachout.test' },
  ],
});
const byMx = ({ bounce: { host, mx } }: DomainSetup): Partial<DomainSetup> => ({ bounce: { host, mx } });
const byNetworks = (setup: DomainSetup): Partial<DomainSetup> => ({
  ...byMx(setup),
  senders: { addresses: [], include: '_nets.reachout.test' },
});
const flattenedSpf = (terms: string) => ({
  ...domainSpf(`v=spf1 ${terms} -all`),
  'bounce.<d>': { MX: ['10 mx.reachout.test'], TXT: [`v=spf1 ${terms} -all`] },
});
const covering = 'include:_spf.reachout.test';
/** Names with SPF records, each of which needs `count` lookups. */
const services = (prefix: string, count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`${prefix}${n}.<d>`, { TXT: ['v=spf1 ip4:198.51.100.1 -all'] }]),
  );
const includes = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, n) => `include:${prefix}${n}.<d>`).join(' ');

const noRecords = {
  '<d>': undefined,
  'r1._domainkey.<d>': undefined,
  'r2._domainkey.<d>': undefined,
  'bounce.<d>': undefined,
  '_dmarc.<d>': undefined,
  'click.<d>': undefined,
};
const everyName = (fault: ZoneRecords['fault'] & object) => ({
  '<d>': { fault },
  'r1._domainkey.<d>': { fault },
  'bounce.<d>': { fault },
  '_dmarc.<d>': { fault },
  'click.<d>': { fault },
});
const everyCheck = (...expected: Expected): Record<CheckName, Expected> => ({
  dkim: expected,
  spf: expected,
  return_path: expected,
  dmarc: expected,
  tracking: expected,
});

/** Each check without an expectation passes without advice. */
const cases: Record<string, Case> = {
  'all records as given': {},
  'a domain without a zone': {
    zone: noRecords,
    ...everyCheck('fail', 'domain_unknown'),
  },
  'a domain with nothing but an address': {
    zone: {
      ...noRecords,
      '<d>': { A: ['203.0.113.1'] },
    },
    dkim: ['fail', 'record_missing', 'dkim_second_missing'],
    spf: ['fail', 'record_missing', 'spf_missing'],
    return_path: ['fail', 'return_path_no_mx'],
    dmarc: ['fail', 'dmarc_missing'],
    tracking: ['fail', 'record_missing'],
  },
  'every name doubled': {
    zone: {
      ...noRecords,
      '<d>': goodSpf,
      'r1._domainkey.<d>.<d>': { TXT: [dkim(key)] },
      'r2._domainkey.<d>.<d>': { TXT: [dkim(nextKey)] },
      'bounce.<d>.<d>': { CNAME: 'bounce.reachout.test' },
      '_dmarc.<d>.<d>': { TXT: ['v=DMARC1; p=none'] },
      'click.<d>.<d>': { CNAME: 'links.reachout.test' },
    },
    ...everyCheck('fail', 'record_doubled'),
    dkim: ['fail', 'record_doubled', 'record_doubled'],
  },
  'a domain below the zone, doubled with the zone': {
    domain: 'news.below.example',
    zone: {
      'r1._domainkey.<d>': undefined,
      'r1._domainkey.<d>.below.example': { TXT: [dkim(key)] },
    },
    dkim: ['fail', 'record_doubled'],
  },
  'every name one label too high': {
    domain: 'news.high.example',
    zone: {
      ...noRecords,
      '<d>': { A: ['203.0.113.1'] },
      'r1._domainkey.high.example': { TXT: [dkim(key)] },
      'r2._domainkey.high.example': { TXT: [dkim(nextKey)] },
      'high.example': goodSpf,
      'bounce.high.example': { CNAME: 'bounce.reachout.test' },
      '_dmarc.<d>': undefined,
      'click.high.example': { CNAME: 'links.reachout.test' },
    },
    ...everyCheck('fail', 'record_misplaced'),
    dkim: ['fail', 'record_misplaced', 'record_misplaced'],
    spf: ['fail', 'record_misplaced', 'record_misplaced'],
    dmarc: ['fail', 'dmarc_missing'],
  },
  'every name one label too low': {
    domain: 'news.low.example',
    zone: {
      ...noRecords,
      '<d>': { A: ['203.0.113.1'] },
      'r1._domainkey.news.<d>': { TXT: [dkim(key)] },
      'r2._domainkey.news.<d>': { TXT: [dkim(nextKey)] },
      'news.<d>': goodSpf,
      'bounce.news.<d>': { CNAME: 'bounce.reachout.test' },
      '_dmarc.news.<d>': { TXT: ['v=DMARC1; p=none'] },
      'click.news.<d>': { CNAME: 'links.reachout.test' },
    },
    ...everyCheck('fail', 'record_misplaced'),
    dkim: ['fail', 'record_misplaced', 'record_misplaced'],
    spf: ['fail', 'record_misplaced', 'record_misplaced'],
  },
  'names without their last or first label': {
    zone: {
      ...noRecords,
      '<d>': { TXT: ['v=DMARC1; p=none'] },
      'r1.<d>': { TXT: [dkim(key)] },
      '_domainkey.<d>': { TXT: [`"${dkim(nextKey)}"`] },
      'bounce.bounce.<d>': { CNAME: 'bounce.reachout.test' },
      'click.click.<d>': { CNAME: 'links.reachout.test' },
    },
    ...everyCheck('fail', 'record_misplaced'),
    dkim: ['fail', 'record_misplaced', 'record_misplaced'],
    spf: ['fail', 'record_misplaced', 'spf_missing'],
  },
  'a wildcard CNAME, and no records': {
    zone: {
      ...noRecords,
      '<d>': goodSpf,
      '*.<d>': { CNAME: 'parking.<d>' },
      'parking.<d>': { A: ['203.0.113.9'] },
    },
    dkim: ['fail', 'record_missing', 'dkim_second_missing'],
    spf: ['fail', 'record_wildcard'],
    return_path: ['fail', 'record_wildcard'],
    dmarc: ['fail', 'dmarc_missing'],
    tracking: ['fail', 'record_wildcard'],
  },
  'a wildcard TXT, and no records': {
    zone: { ...noRecords, '<d>': goodSpf, '*.<d>': { TXT: ['v=spf1 -all'] } },
    dkim: ['fail', 'record_wildcard', 'record_wildcard'],
    spf: ['fail', 'record_wildcard'],
    return_path: ['fail', 'return_path_no_mx'],
    dmarc: ['fail', 'record_wildcard'],
    tracking: ['fail', 'record_missing'],
  },
  'a wildcard MX and a wildcard address, and no records': {
    zone: { ...noRecords, '<d>': goodSpf, '*.<d>': { MX: ['10 mx.hoster.test'], A: ['203.0.113.9'] } },
    probe: { outcome: 'other_answer', answer: 'HTTP 404' },
    dkim: ['fail', 'record_missing', 'dkim_second_missing'],
    spf: ['fail', 'record_missing'],
    return_path: ['fail', 'record_wildcard'],
    dmarc: ['fail', 'dmarc_missing'],
    tracking: ['fail', 'record_wildcard'],
  },
  'wildcards that have what is wanted': {
    zone: {
      ...noRecords,
      '<d>': goodSpf,
      '_domainkey.<d>': { A: ['203.0.113.9'] },
      'bounce.<d>': { A: ['203.0.113.9'] },
      '*.<d>': { CNAME: 'bounce.reachout.test' },
    },
    dkim: ['fail', 'record_missing', 'dkim_second_missing'],
    spf: ['fail', 'record_missing'],
    return_path: ['fail', 'return_path_no_mx'],
    dmarc: ['fail', 'record_wildcard'],
    tracking: ['fail', 'record_wildcard'],
  },
  'a wildcard beside all records': { zone: { '*.<d>': { CNAME: 'parking.<d>' } } },
  'names that lead nowhere': {
    domain: 'news.nowhere.example',
    zone: {
      'nowhere.example': { A: ['203.0.113.1'] },
      '<d>': { CNAME: 'gone.hoster.test' },
      'r1._domainkey.<d>': { CNAME: 'gone.hoster.test' },
      'r2._domainkey.<d>': { CNAME: 'r2._domainkey.<d>' },
      'bounce.<d>': { CNAME: 'gone.hoster.test' },
      '_dmarc.<d>': { CNAME: 'gone.hoster.test' },
      'click.<d>': { CNAME: 'gone.hoster.test' },
    },
    dkim: ['fail', 'record_alias', 'record_alias'],
    spf: ['fail', 'wrong_target', 'record_alias'],
    return_path: ['fail', 'wrong_target'],
    dmarc: ['fail', 'record_alias'],
    tracking: ['fail', 'wrong_target'],
  },
  'names in a circle that servers give up': {
    zone: {
      'r1._domainkey.<d>': { CNAME: 'one.<d>', isEndless: true },
      'bounce.<d>': { CNAME: 'one.<d>', isEndless: true },
      '_dmarc.<d>': { CNAME: 'one.<d>', isEndless: true },
      'click.<d>': { CNAME: 'one.<d>', isEndless: true },
      'one.<d>': { CNAME: 'one.<d>', isEndless: true },
    },
    dkim: ['fail', 'record_alias'],
    spf: ['fail', 'wrong_target'],
    return_path: ['fail', 'wrong_target'],
    dmarc: ['fail', 'record_alias'],
    tracking: ['fail', 'tracking_chain'],
  },
  'a key of another service by CNAME': {
    zone: { 'r1._domainkey.<d>': { CNAME: 'r2.keys.reachout.test' } },
    dkim: ['fail', 'record_alias'],
  },
  'a domain of an Internet script': { domain: 'xn--bcher-kva.example' },
  'targets in other case and with a last dot': {
    zone: {
      'bounce.<d>': { CNAME: 'Bounce.Reachout.TEST.' },
      'click.<d>': { CNAME: 'LINKS.reachout.test.' },
    },
  },
  'servers that fail for every name': {
    zone: {
      '<d>': 'SERVFAIL',
      'r1._domainkey.<d>': 'SERVFAIL',
      'bounce.<d>': 'SERVFAIL',
      '_dmarc.<d>': 'SERVFAIL',
      'click.<d>': 'SERVFAIL',
    },
    ...everyCheck('temporary_error', 'dns_unavailable'),
    spf: ['temporary_error', 'dns_unavailable', 'dns_unavailable'],
  },
  'a zone whose signatures have expired': {
    zone: everyName({ isDnssec: true, infoCode: 7 }),
    ...everyCheck('temporary_error', 'zone_dnssec'),
    spf: ['temporary_error', 'zone_dnssec', 'zone_dnssec'],
  },
  'a zone with wrong signatures, at a resolver without reasons': {
    zone: everyName({ isDnssec: true }),
    ...everyCheck('temporary_error', 'zone_dnssec'),
    spf: ['temporary_error', 'zone_dnssec', 'zone_dnssec'],
  },
  'a zone whose name servers do not know it': {
    zone: everyName({ infoCode: 22 }),
    ...everyCheck('temporary_error', 'zone_unreachable'),
    spf: ['temporary_error', 'zone_unreachable', 'zone_unreachable'],
  },
  'a zone that fails for a reason of the resolver': {
    zone: everyName({ infoCode: 14 }),
    ...everyCheck('temporary_error', 'dns_unavailable'),
    spf: ['temporary_error', 'dns_unavailable', 'dns_unavailable'],
  },
  'servers that refuse or are silent': {
    zone: {
      'r1._domainkey.<d>': 'REFUSED',
      'bounce.<d>': 'silent',
      '_dmarc.<d>': 'REFUSED',
      'click.<d>': 'silent',
    },
    ...everyCheck('temporary_error', 'dns_unavailable'),
  },
  'answers that are too large': {
    zone: {
      '<d>': { TXT: Array.from({ length: 101 }, (_, n) => `site-verification=${n}`) },
      'r1._domainkey.<d>': { TXT: [`v=DKIM1; n=${'x'.repeat(5_000)}; p=${key}`] },
      '_dmarc.<d>': { TXT: [`v=DMARC1; p=reject; x=${'x'.repeat(5_000)}`] },
    },
    dkim: ['fail', 'answer_too_large'],
    spf: ['fail', 'answer_too_large'],
    dmarc: ['fail', 'answer_too_large'],
  },
  'names with other records only': {
    zone: { 'r1._domainkey.<d>': { A: ['203.0.113.1'] }, 'click.<d>': { MX: ['10 mx.reachout.test'] } },
    dkim: ['fail', 'record_missing'],
    tracking: ['fail', 'record_missing'],
  },
  'aliases that the resolver does not follow': {
    zone: {
      'r1._domainkey.<d>': { CNAME: 'r1.keys.reachout.test', isAliasOnly: true },
      'bounce.<d>': { CNAME: 'bounce.reachout.test', isAliasOnly: true },
      'click.<d>': { CNAME: 'links.reachout.test', isAliasOnly: true },
    },
    dkim: ['fail', 'record_missing'],
    spf: ['fail', 'record_missing'],
  },
  // DKIM.
  'a key in several strings': {
    zone: { 'r1._domainkey.<d>': { TXT: [[dkim(key).slice(0, 255), dkim(key).slice(255)]] } },
  },
  'a key with quotation marks': { zone: r1(`"${dkim(key)}"`), dkim: ['fail', 'record_quotes'] },
  'a key in its split form within one string': {
    zone: r1(`v=DKIM1; k=rsa; p=${key.slice(0, 200)}" "${key.slice(200)}`),
    dkim: ['fail', 'record_quotes'],
  },
  'a key with typographic quotation marks': {
    zone: r1(`v=DKIM1; k=rsa; p=‘${key}’`),
    dkim: ['fail', 'record_quotes'],
  },
  'a key with backslashes': {
    zone: r1(dkim(key).replaceAll(';', '\\;')),
    dkim: ['fail', 'record_backslashes'],
  },
  'an empty key': { zone: r1('v=DKIM1; k=rsa; p='), dkim: ['fail', 'dkim_revoked'] },
  'another key': { zone: r1(dkim(otherKey)), dkim: ['fail', 'dkim_other_key'] },
  'a key of another kind': {
    zone: r1('v=DKIM1; k=ed25519; p=MCowBQYDK2VwAyEA'),
    dkim: ['fail', 'dkim_other_key'],
  },
  'a key with foreign characters': {
    zone: r1(dkim(`${key.slice(0, 40)}*${key.slice(41)}`)),
    dkim: ['fail', 'dkim_bad_base64'],
  },
  'a key that is cut off': { zone: r1(dkim(key).slice(0, 255)), dkim: ['fail', 'dkim_key_cut'] },
  'two TXT records at a key': { zone: r1(dkim(otherKey), dkim(key)), dkim: ['fail', 'dkim_several'] },
  'a text at a key': { zone: r1('v=spf1 -all'), dkim: ['fail', 'dkim_not_a_key'] },
  'our key with a wrong version': { zone: r1(`v=DKIM2; p=${key}`), dkim: ['fail', 'dkim_not_a_key'] },
  'a key of another service': { zone: r1(`v=DKIM1; s=tlsrpt; p=${key}`), dkim: ['fail', 'dkim_service'] },
  'a key for other hashes': { zone: r1(`v=DKIM1; h=sha1; p=${key}`), dkim: ['fail', 'dkim_hash'] },
  'a key with all that is allowed': { zone: r1(`v=DKIM1; h=sha1:sha256; s=email; t=s; n=hi; p= ${key} ;`) },
  'a key without version': { zone: r1(`p=${key}`) },
  'a key in test': { zone: r1(`v=DKIM1; t=s:y; p=${key}`), dkim: ['warn', 'dkim_testing'] },
  'a short key': {
    zone: r1(dkim(shortKey)),
    setup: ({ selectors }) => ({ selectors: [{ selector: 'r1', publicKey: shortKey }, selectors[1]] }),
    dkim: ['warn', 'dkim_short_key'],
  },
  'a key with all tags in capital letters': {
    zone: r1(`V=DKIM1; K=RSA; P=${key}`),
    dkim: ['fail', 'dkim_tag_case'],
  },
  'a key whose p is in capital letters': {
    zone: r1(`v=DKIM1; k=rsa; P=${key}`),
    dkim: ['fail', 'dkim_tag_case'],
  },
  'a key with an unneeded tag in capital letters': {
    zone: r1(`V=DKIM1; k=rsa; p=${key}`),
    dkim: ['warn', 'dkim_tag_case'],
  },
  'a key type in capital letters': {
    zone: r1(`v=DKIM1; k=RSA; p=${key}`),
    dkim: ['fail', 'dkim_algorithm'],
  },
  'a service in capital letters': {
    zone: r1(`v=DKIM1; s=EMAIL; p=${key}`),
    dkim: ['fail', 'dkim_service'],
  },
  'a hash in capital letters': { zone: r1(`v=DKIM1; h=SHA256; p=${key}`), dkim: ['fail', 'dkim_hash'] },
  'a version in lower case at a key': { zone: r1(`v=dkim1; p=${key}`), dkim: ['fail', 'dkim_version'] },
  'a version behind the key': { zone: r1(`p=${key}; v=DKIM1`), dkim: ['fail', 'dkim_version'] },
  'a tag of a key twice': {
    zone: r1(`v=DKIM1; k=rsa; k=rsa; p=${key}`),
    dkim: ['fail', 'dkim_duplicate_tag'],
  },
  'a key behind a word without sign': {
    zone: r1(`v=DKIM1; rsa; p=${key}`),
    dkim: ['fail', 'dkim_syntax'],
  },
  'a key behind an empty tag': { zone: r1(`v=DKIM1;; p=${key}`), dkim: ['fail', 'dkim_syntax'] },
  'a key with a no-break space': { zone: r1(`v=DKIM1; p=\u00a0${key}`), dkim: ['fail', 'dkim_syntax'] },
  'a key with unknown tags': { zone: r1(`v=DKIM1; k=rsa; x_1=a=b; n=; t=z; p=${key}`) },
  'the next key missing': { zone: { 'r2._domainkey.<d>': undefined }, dkim: ['warn', 'dkim_second_missing'] },
  'the next key being the previous one': {
    zone: { 'r2._domainkey.<d>': { TXT: [dkim(otherKey)] } },
    dkim: ['warn', 'dkim_other_key'],
  },
  'keys by CNAME': {
    zone: {
      'r1._domainkey.<d>': { CNAME: 'r1.keys.reachout.test' },
      'r2._domainkey.<d>': { CNAME: 'r2.keys.reachout.test' },
    },
    setup: delegated,
  },
  'keys as TXT instead of CNAME': { setup: delegated },
  'a key by CNAME to another target': {
    zone: { 'r1._domainkey.<d>': { CNAME: 'r2.keys.reachout.test' } },
    setup: delegated,
    dkim: ['fail', 'wrong_target'],
  },
  'a key by CNAME while ours cannot be reached': {
    zone: { 'r1._domainkey.<d>': { CNAME: 'silent.test' } },
    setup: (setup) => ({
      selectors: [{ ...setup.selectors[0], target: 'silent.test' }, setup.selectors[1]],
    }),
    dkim: ['temporary_error', 'dns_unavailable'],
  },
  // SPF.
  'two SPF records': {
    zone: { '<d>': { TXT: ['v=spf1 include:_spf.reachout.test -all', 'v=spf1 ip4:203.0.113.0/24 ~all'] } },
    spf: ['fail', 'spf_mergeable'],
  },
  'two SPF records that are too long to merge': {
    zone: {
      '<d>': {
        TXT: [`v=spf1 ${'ip4:203.0.113.250 '.repeat(50)}-all`, `v=spf1 ${includes('long-name-', 60)} ~all`],
      },
    },
    spf: ['fail', 'spf_several'],
  },
  'twelve lookups over the tree': {
    zone: {
      ...services('a', 5),
      ...services('b', 4),
      'many.<d>': { TXT: [`v=spf1 ${includes('a', 5)} -all`] },
      ...domainSpf(`v=spf1 ${covering} include:many.<d> ${includes('b', 4)} ip4:192.0.2.10 -all`),
    },
    spf: ['fail', 'spf_too_many_lookups'],
  },
  'ten lookups': {
    zone: { ...services('a', 9), ...domainSpf(`v=spf1 ${covering} ${includes('a', 9)} -all`) },
    spf: ['warn', 'spf_many_lookups'],
  },
  'more lookups than are followed': {
    zone: { ...services('a', 25), ...domainSpf(`v=spf1 ${includes('a', 25)} ${covering} -all`) },
    spf: ['fail', 'spf_too_many_lookups'],
  },
  'an include loop': {
    zone: {
      ...domainSpf(`v=spf1 ${covering} include:back.<d> -all`),
      'back.<d>': { TXT: ['v=spf1 include:<d> -all'] },
    },
    spf: ['fail', 'spf_loop'],
  },
  'a record that includes itself': {
    zone: domainSpf(`v=spf1 ${covering} include:<d> -all`),
    spf: ['fail', 'spf_loop'],
  },
  'three void lookups': {
    zone: domainSpf(`v=spf1 ${covering} a:x.<d> mx:y.<d> exists:z.<d> -all`),
    spf: ['fail', 'spf_void_lookups'],
  },
  'two void lookups': { zone: domainSpf(`v=spf1 ${covering} a:x.<d> mx:y.<d> -all`) },
  'an include without record': {
    zone: domainSpf(`v=spf1 ${covering} include:gone.<d> -all`),
    spf: ['fail', 'spf_include_missing'],
  },
  'an include with two records': {
    zone: {
      ...domainSpf(`v=spf1 ${covering} include:two.<d> -all`),
      'two.<d>': { TXT: ['v=spf1 -all', 'v=spf1 ~all'] },
    },
    spf: ['fail', 'spf_include_several'],
  },
  'more than ten mail servers behind mx': {
    zone: {
      '<d>': {
        TXT: [`v=spf1 ${covering} mx -all`],
        MX: Array.from({ length: 11 }, (_, n) => `${n} links.reachout.test`),
      },
    },
    spf: ['fail', 'spf_mx_hosts'],
  },
  '+all': { zone: domainSpf(`v=spf1 ${covering} +all`), spf: ['fail', 'spf_all_pass'] },
  'all without a sign': { zone: domainSpf(`v=spf1 ${covering} ALL`), spf: ['fail', 'spf_all_pass'] },
  'an include with +all': {
    zone: domainSpf(`v=spf1 ${covering} include:wide-open.test -all`),
    spf: ['fail', 'spf_include_all_pass'],
  },
  '?all': { zone: domainSpf(`v=spf1 ${covering} ?all`), spf: ['warn', 'spf_neutral_all'] },
  'no all': { zone: domainSpf(`v=spf1 ${covering}`), spf: ['warn', 'spf_no_all'] },
  ptr: { zone: domainSpf(`v=spf1 ${covering} ptr -all`), spf: ['warn', 'spf_ptr'] },
  macros: { zone: domainSpf('v=spf1 include:%{i}.spf.<d> -all'), spf: ['warn', 'spf_macros'] },
  'a redirect': { zone: domainSpf('v=spf1 redirect=_spf.reachout.test') },
  'our addresses instead of the include': {
    zone: domainSpf('v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 -all'),
  },
  'our addresses by a and mx': {
    zone: {
      '<d>': { TXT: ['v=spf1 a:out.<d> -all'] },
      'out.<d>': { A: ['192.0.2.10'], AAAA: ['2001:db8::10'] },
    },
  },
  'our networks instead of the include, in parts': {
    zone: {
      ...flattenedSpf('include:flat.<d> mx:in.<d> ip6:2001:db8:1::/49 ip6:2001:db8:1:8000::/49'),
      'flat.<d>': { TXT: ['v=spf1 ip4:192.0.2.0/26 ip4:192.0.2.64/26 ~all'] },
      'in.<d>': { MX: ['10 out.<d>'] },
      'out.<d>': { A: ['192.0.2.200'] },
    },
    setup: byNetworks,
  },
  'our networks as single addresses': {
    zone: flattenedSpf(
      `a:nets.reachout.test ip6:2001:db8::/32 ${Array.from({ length: 128 }, (_, n) => `ip4:192.0.2.${n}`).join(' ')}`,
    ),
    setup: byNetworks,
  },
  'our networks with a gap': {
    zone: {
      ...flattenedSpf('include:_nets.reachout.test'),
      ...domainSpf('v=spf1 ip4:192.0.2.0/26 ip4:192.0.2.96/27 ip6:2001:db8::/32 a:nets.reachout.test -all'),
    },
    setup: byNetworks,
    spf: ['warn', 'spf_from_not_covered'],
  },
  'our networks but for one address': {
    zone: {
      ...flattenedSpf('include:_nets.reachout.test'),
      ...domainSpf('v=spf1 -ip4:192.0.2.77 ip4:192.0.2.0/24 ip6:2001:db8::/32 -all'),
    },
    setup: byNetworks,
    spf: ['warn', 'spf_from_not_covered'],
  },
  'only one of our addresses': {
    zone: domainSpf('v=spf1 ip4:192.0.2.10 -all'),
    spf: ['warn', 'spf_from_not_covered'],
  },
  'terms behind all': { zone: domainSpf(`v=spf1 -all ${covering}`), spf: ['warn', 'spf_from_not_covered'] },
  'our include not allowed': {
    zone: domainSpf(`v=spf1 -${covering} -all`),
    spf: ['warn', 'spf_from_not_covered'],
  },
  'an unreadable term': {
    zone: domainSpf(`v=spf1 ${covering} ipv4:192.0.2.1 -all`),
    spf: ['fail', 'spf_syntax'],
  },
  'an unreadable address': {
    zone: domainSpf(`v=spf1 ${covering} ip4:192.0.2.256 -all`),
    spf: ['fail', 'spf_syntax'],
  },
  'no SPF at the domain': { zone: { '<d>': { A: ['203.0.113.1'] } }, spf: ['warn', 'spf_from_missing'] },
  'an SPF record with quotation marks': {
    zone: domainSpf(`"v=spf1 ${covering} -all"`),
    spf: ['fail', 'record_quotes'],
  },
  'an SPF record with typographic quotation marks': {
    zone: domainSpf(`“v=spf1 ${covering} -all”`),
    spf: ['fail', 'record_quotes'],
  },
  'an SPF record with a quotation mark at its end': {
    zone: domainSpf(`v=spf1 ${covering} -all»`),
    spf: ['fail', 'record_quotes'],
  },
  'an SPF record with a dash of another kind': {
    zone: domainSpf(`v=spf1 ${covering} –all`),
    spf: ['fail', 'spf_syntax'],
  },
  'an SPF record behind a no-break space': {
    zone: domainSpf(`\u00a0v=spf1 ${covering} -all`),
    spf: ['warn', 'spf_unusable'],
  },
  'an SPF record with semicolons': {
    zone: domainSpf(`v=spf1; ${covering}; -all`),
    spf: ['warn', 'spf_unusable'],
  },
  'an SPF record in capital letters': { zone: domainSpf('V=SPF1 INCLUDE:_SPF.REACHOUT.TEST. -ALL') },
  'an include that cannot be reached': {
    zone: domainSpf(`v=spf1 ${covering} include:silent.test -all`),
    spf: ['temporary_error', 'dns_unavailable'],
  },
  // Return path.
  'a return path by MX and TXT': {
    zone: { 'bounce.<d>': { MX: ['10 MX.reachout.test'], TXT: [`v=spf1 ${covering} -all`] } },
    setup: byMx,
  },
  'a return path by MX without SPF': {
    zone: { 'bounce.<d>': { MX: ['10 mx.reachout.test'] } },
    setup: byMx,
    spf: ['fail', 'spf_missing'],
  },
  'a return path whose SPF lacks us, and the domain, too': {
    zone: {
      ...domainSpf('v=spf1 -all'),
      'bounce.<d>': { MX: ['10 mx.reachout.test'], TXT: ['v=spf1 mx -all'] },
    },
    setup: byMx,
    spf: ['fail', 'spf_not_covered', 'spf_not_covered'],
  },
  'a return path over two aliases': {
    zone: { 'bounce.<d>': { CNAME: 'hop.<d>' }, 'hop.<d>': { CNAME: 'bounce.reachout.test' } },
  },
  'a return path to a name with the MX of our bounce host': {
    zone: {
      'bounce.<d>': { CNAME: 'mail.<d>' },
      'mail.<d>': { MX: ['5 mx.reachout.test'], TXT: [`v=spf1 ${covering} -all`] },
    },
    setup: ({ bounce }) => ({ bounce: { ...bounce, mx: bounce.target! } }),
  },
  'a return path to our host, which has a server': {
    zone: { 'mx.reachout.test': { A: ['192.0.2.25'] } },
    setup: ({ bounce }) => ({ bounce: { ...bounce, isRead: true } }),
  },
  'a return path to a host without MX records': {
    zone: {
      'bounce.<d>': { CNAME: 'plain.reachout.test' },
      'plain.reachout.test': { A: ['192.0.2.26'], TXT: [`v=spf1 ${covering} -all`] },
    },
    setup: ({ bounce }) => ({ bounce: { ...bounce, target: 'plain.reachout.test', isRead: true } }),
  },
  'a return path to servers without an address': {
    zone: { 'bounce.<d>': { MX: ['10 gone.reachout.test'], TXT: [`v=spf1 ${covering} -all`] } },
    setup: ({ bounce: { host } }) => ({ bounce: { host, mx: 'gone.reachout.test', isRead: true } }),
    return_path: ['warn', 'return_path_unserved'],
  },
  'another MX beside ours': {
    zone: {
      'bounce.<d>': { MX: ['10 mx.reachout.test', '20 mx.hoster.test'], TXT: [`v=spf1 ${covering} -all`] },
    },
    setup: byMx,
    return_path: ['warn', 'return_path_extra_mx'],
  },
  'another MX instead of ours': {
    zone: { 'bounce.<d>': { MX: ['10 mx.hoster.test'], TXT: [`v=spf1 ${covering} -all`] } },
    return_path: ['fail', 'return_path_other_mx'],
  },
  'a return path to another target': {
    zone: { 'bounce.<d>': { CNAME: 'links.reachout.test' } },
    spf: ['fail', 'wrong_target'],
    return_path: ['fail', 'wrong_target'],
  },
  // DMARC.
  'two DMARC records': {
    zone: dmarc('v=DMARC1; p=none', 'v=DMARC1; p=reject'),
    dmarc: ['fail', 'dmarc_several'],
  },
  'a DMARC record beside another text': {
    zone: dmarc('v=spf1 -all', 'v=DMARC1; p=quarantine; rua=mailto:d@<d>'),
  },
  'p=none': { zone: dmarc('v=DMARC1; p=none; rua=mailto:d@<d>'), dmarc: ['warn', 'dmarc_policy_none'] },
  'pct below 100': {
    zone: dmarc('v=DMARC1; p=reject; pct=50; rua=mailto:d@<d>'),
    dmarc: ['warn', 'dmarc_pct'],
  },
  'a policy in test': {
    zone: dmarc('v=DMARC1; p=reject; t=y; rua=mailto:d@<d>'),
    dmarc: ['warn', 'dmarc_testing'],
  },
  'no reports': { zone: dmarc('v=DMARC1; p=reject'), dmarc: ['warn', 'dmarc_no_reports'] },
  'a policy in other case': { zone: dmarc('V=DMARC1;p=Reject;rua=mailto:d@<d>') },
  'tags in capital letters': {
    zone: dmarc('v=DMARC1;P=reject;rua=mailto:d@<d>'),
    dmarc: ['warn', 'dmarc_tag_case'],
  },
  'a version in lower case': { zone: dmarc('v=dmarc1; p=reject'), dmarc: ['fail', 'dmarc_wrong_case'] },
  'a version at the end': { zone: dmarc('p=reject; v=DMARC1'), dmarc: ['fail', 'dmarc_unusable'] },
  'a foreign text at _dmarc': { zone: dmarc('hello'), dmarc: ['fail', 'dmarc_unusable'] },
  'a DMARC record with quotation marks': {
    zone: dmarc('"v=DMARC1; p=reject"'),
    dmarc: ['fail', 'record_quotes'],
  },
  'a DMARC record with typographic quotation marks': {
    zone: dmarc('„v=DMARC1; p=reject“'),
    dmarc: ['fail', 'record_quotes'],
  },
  'a policy with typographic quotation marks': {
    zone: dmarc('v=DMARC1; p=“reject”'),
    dmarc: ['fail', 'record_quotes'],
  },
  'a tag twice': { zone: dmarc('v=DMARC1; p=none; p=reject'), dmarc: ['fail', 'dmarc_duplicate_tag'] },
  'an unknown policy with reports': {
    zone: dmarc('v=DMARC1; p=block; rua=mailto:d@<d>'),
    dmarc: ['warn', 'dmarc_unknown_policy'],
  },
  'no policy, with reports': {
    zone: dmarc('v=DMARC1; rua=mailto:d@<d>'),
    dmarc: ['warn', 'dmarc_unknown_policy'],
  },
  'no policy, and no reports': { zone: dmarc('v=DMARC1; rua=d@<d>'), dmarc: ['fail', 'dmarc_no_policy'] },
  'aspf=s': {
    zone: dmarc('v=DMARC1; p=reject; aspf=s; rua=mailto:d@<d>'),
    dmarc: ['warn', 'dmarc_strict_spf'],
  },
  'adkim=s and a signature of another domain': {
    zone: dmarc('v=DMARC1; p=reject; adkim=s; rua=mailto:d@<d>'),
    signingDomain: 'mail.<d>',
    dmarc: ['fail', 'dmarc_strict_dkim'],
  },
  'a signature of a subdomain': { signingDomain: 'mail.<d>' },
  'a signature of a foreign domain': {
    signingDomain: 'reachout.test',
    dmarc: ['fail', 'dmarc_dkim_unaligned'],
  },
  'bounces at our own host': {
    setup: () => ({ bounce: { host: 'bounce.reachout.test', mx: 'mx.reachout.test' } }),
    dmarc: ['warn', 'dmarc_spf_unaligned'],
  },
  'reports to a foreign domain without consent': {
    zone: dmarc('v=DMARC1; p=reject; rua=mailto:d@reports.test!10m,mailto:d@<d>'),
    dmarc: ['warn', 'dmarc_report_consent'],
  },
  'reports to a foreign domain with consent': {
    zone: {
      ...dmarc('v=DMARC1; p=reject; rua=mailto:d@reports.test'),
      '<d>._report._dmarc.reports.test': { TXT: ['v=DMARC1'] },
    },
  },
  'a policy inherited through the tree': {
    domain: 'news.eu.inherits.example',
    zone: {
      '_dmarc.<d>': undefined,
      '_dmarc.inherits.example': { TXT: ['v=DMARC1; p=reject; sp=none; rua=mailto:d@inherits.example'] },
    },
    dmarc: ['warn', 'dmarc_inherited', 'dmarc_policy_none'],
  },
  'a policy of the public suffix (psd=y)': {
    domain: 'agency.gov.example',
    zone: {
      '_dmarc.<d>': undefined,
      '_dmarc.gov.example': { TXT: ['v=DMARC1; p=reject; psd=y; rua=mailto:d@gov.example'] },
    },
    dmarc: ['warn', 'dmarc_inherited'],
  },
  'the end of an organization (psd=n)': {
    domain: 'brand.holding.example',
    zone: {
      '_dmarc.<d>': { TXT: ['v=DMARC1; p=reject; psd=n; rua=mailto:d@brand.holding.example'] },
      '_dmarc.holding.example': { TXT: ['v=DMARC1; p=reject; rua=mailto:d@holding.example'] },
    },
    signingDomain: 'holding.example',
    dmarc: ['fail', 'dmarc_dkim_unaligned'],
  },
  'np for a domain that does not exist': {
    domain: 'nowhere.np.example',
    zone: {
      ...noRecords,
      '_dmarc.np.example': { TXT: ['v=DMARC1; p=reject; np=none; rua=mailto:d@np.example'] },
    },
    ...everyCheck('fail', 'domain_unknown'),
    dmarc: ['warn', 'dmarc_inherited', 'dmarc_policy_none'],
  },
  'an own policy below servers that fail': {
    domain: 'news.half.example',
    zone: { '_dmarc.half.example': 'SERVFAIL' },
  },
  // Tracking.
  'a chain of aliases to our target': {
    zone: {
      'click.<d>': { CNAME: 'one.<d>' },
      'one.<d>': { CNAME: 'two.<d>' },
      'two.<d>': { CNAME: 'links.reachout.test' },
    },
  },
  'an alias to another target': {
    zone: { 'click.<d>': { CNAME: 'shop.<d>' }, 'shop.<d>': { A: ['203.0.113.5'] } },
    tracking: ['fail', 'wrong_target'],
  },
  'aliases in a circle': {
    zone: { 'click.<d>': { CNAME: 'one.<d>' }, 'one.<d>': { CNAME: 'click.<d>' } },
    tracking: ['fail', 'tracking_chain'],
  },
  'addresses instead of an alias': { zone: flattened, tracking: ['warn', 'tracking_flattened'] },
  'addresses of another server': {
    zone: flattened,
    probe: { outcome: 'failed', kind: 'timeout', reason: 'late' },
    tracking: ['fail', 'tracking_elsewhere'],
  },
  'a proxy in front': {
    zone: flattened,
    probe: { outcome: 'other_answer', answer: 'HTTP 404' },
    tracking: ['fail', 'tracking_proxy'],
  },
  'another answer behind our target': {
    probe: { outcome: 'other_answer', answer: 'HTTP 3xx' },
    tracking: ['fail', 'tracking_other_answer'],
  },
  'an answer without encryption only': {
    probe: { outcome: 'http_only' },
    tracking: ['warn', 'tracking_http_only'],
  },
  'a certificate that ends soon': {
    probe: { outcome: 'ok', certificateEndsAt: inDays(5.5) },
    tracking: ['warn', 'tracking_certificate_ends'],
  },
  'an invalid certificate': {
    probe: { outcome: 'failed', kind: 'certificate', reason: 'x' },
    tracking: ['fail', 'tracking_certificate'],
  },
  'a host that cannot be reached': {
    probe: { outcome: 'failed', kind: 'refused', reason: 'x' },
    tracking: ['fail', 'tracking_unreachable'],
  },
  'a visit that did not happen': {
    probe: { outcome: 'not_probed' },
    tracking: ['temporary_error', 'tracking_not_probed'],
  },
  'CAA records of others': {
    zone: {
      '<d>': { TXT: [`v=spf1 ${covering} -all`], CAA: ['issue pki.test', 'issuewild letsencrypt.org'] },
    },
    tracking: ['fail', 'tracking_caa'],
  },
  'CAA records that allow nobody': {
    zone: { '<d>': { TXT: [`v=spf1 ${covering} -all`], CAA: ['issue ;'] } },
    tracking: ['fail', 'tracking_caa'],
  },
  'CAA records with ours among them': {
    zone: {
      '<d>': {
        TXT: [`v=spf1 ${covering} -all`],
        CAA: ['issue pki.test', 'issue letsencrypt.org;validationmethods=http-01'],
      },
    },
  },
  'CAA records without issuers': {
    zone: { '<d>': { TXT: [`v=spf1 ${covering} -all`], CAA: ['iodef mailto:ca@pki.test'] } },
  },
  'links at the domain itself': {
    setup: ({ domain, tracking }) => ({ tracking: { ...tracking, host: domain } }),
    tracking: ['fail', 'tracking_apex'],
  },
};

const namedCases = Object.entries(cases).map(([title, one], index) => ({
  title,
  domain: `case-${index}.example`,
  ...one,
}));
type NamedCase = (typeof namedCases)[number];

suite('checks of a sending domain', () => {
  let run: CheckRunner;
  let runImpatiently: CheckRunner;
  const server = useOpened(() =>
    startDnsServer(Object.assign({}, platform, ...namedCases.map(zoneOf)) as Zone),
  );
  before(async () => {
    run = createCheckRunner([server.address]);
    runImpatiently = createCheckRunner([server.address], { timeoutMs: 1_500, tries: 1 });
  });

  test('every zone has its verdicts and advice', async () => {
    const got: Record<string, string> = {};
    const expected: Record<string, string> = {};
    const left = [...namedCases];
    const work = async () => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) {
        const isSilent = JSON.stringify(zoneOf(one)).includes('silent');
        const results = await runAll(isSilent ? runImpatiently : run, one);
        for (const [name, { verdict, advice }] of Object.entries(results)) {
          const at = `${one.title} (${one.domain}), ${name}`;
          got[at] = [verdict, ...advice.map(({ code }) => code)].join(' ');
          expected[at] = (one[name as CheckName] ?? ['pass']).join(' ');
        }
      }
    };
    await Promise.all(Array.from({ length: 4 }, work));
    assert.deepEqual(got, expected);
  });

  test('a return path tells the servers to which bounces go in the end', async () => {
    const foundOf = async (title: string) => {
      const one = namedCases.find((each) => each.title === title)!;
      const { found } = (await runAll(run, one)).return_path;
      return found.map(({ type, name, value }) => `${name} ${type} ${value}`.replaceAll(one.domain, '<d>'));
    };
    assert.deepEqual(await foundOf('a return path to our host, which has a server'), [
      'bounce.<d> CNAME bounce.reachout.test',
      'bounce.reachout.test MX 10 mx.reachout.test',
      'mx.reachout.test A 192.0.2.25',
    ]);
    // Without MX records, mail goes to the host itself.
    assert.deepEqual((await foundOf('a return path to a host without MX records')).slice(1), [
      'plain.reachout.test A 192.0.2.26',
    ]);
  });

  test('advice names what was found and what to enter', async () => {
    const textOf = async (title: string, check: CheckName) => {
      const one = namedCases.find((each) => each.title === title)!;
      const { [check]: result } = await runAll(run, one);
      const text = describeDomainAdvice(result.advice[0]!, 'en').replaceAll(one.domain, 'example.com');
      return { text, ...result };
    };
    const doubled = await textOf('every name doubled', 'dkim');
    assert.equal(
      doubled.text,
      'No record was found at r1._domainkey.example.com, but there is one at r1._domainkey.example.com.example.com: your DNS provider appends the domain. Enter only r1._domainkey as the name.',
    );
    const below = await textOf('a domain below the zone, doubled with the zone', 'dkim');
    assert.match(below.text, /Enter only r1\._domainkey\.news as the name\.$/);
    const high = await textOf('every name one label too high', 'dkim');
    assert.match(high.text, / at r1\._domainkey\.high\.example\. Enter r1\._domainkey\.news as the name\.$/);
    const nowhere = await textOf('a key of another service by CNAME', 'dkim');
    assert.match(nowhere.text, /^r1\._domainkey\.example\.com has a CNAME record to r2\.keys.*: remove it, /);
    const wildcard = await textOf('a wildcard CNAME, and no records', 'tracking');
    assert.match(
      wildcard.text,
      /a wildcard record .* with parking\.example\.com\. Add the CNAME record shown/,
    );
    const expired = await textOf('a zone whose signatures have expired', 'dkim');
    assert.match(
      expired.text,
      /for r1\._domainkey\.example\.com can’t be .* \(EDE 7: signature expired: of a test\)/,
    );
    const lame = await textOf('a zone whose name servers do not know it', 'tracking');
    assert.match(lame.text, /of click\.example\.com do not answer .* \(EDE 22: no reachable authority: /);
    const merged = await textOf('two SPF records', 'spf');
    assert.equal(
      merged.text,
      'example.com has 2 SPF records, so that none counts. Merge into one record: v=spf1 include:_spf.reachout.test ip4:203.0.113.0/24 ~all',
    );
    const lookups = await textOf('twelve lookups over the tree', 'spf');
    assert.match(lookups.text, /needs 11 of 10 lookups.* such as include:many\.example\.com \(6\), /);
    const cut = await textOf('more lookups than are followed', 'spf');
    assert.match(cut.text, /needs > 20 of 10 lookups/);
    const uncovered = await textOf('terms behind all', 'spf');
    assert.match(uncovered.text, /becomes: v=spf1 include:_spf\.reachout\.test -all$/);
    const missing = await textOf('a domain with nothing but an address', 'dmarc');
    assert.match(missing.text, /Start with v=DMARC1; p=none; rua=mailto:dmarc@example\.com, /);
    const target = await textOf('an alias to another target', 'tracking');
    assert.equal(
      target.text,
      'click.example.com points to shop.example.com. Change it to links.reachout.test.',
    );
    const short = await textOf('a key that is cut off', 'dkim');
    assert.match(short.text, /cut off after 237 of 392 characters/);
    assertColumn(short.found, 'type', ['TXT', 'TXT']);
    assert.equal(short.wanted[0]!.value, dkim(key));
  });

  test('a key record passes exactly if it verifies signatures', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const p = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    const domain = 'keys.example';
    const { message } = await createSigner({
      domain,
      selector: 'r1',
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    })({ envelopeFrom: '', envelopeTo: '', message: Buffer.from(`From: a@${domain}\r\n\r\nHello\r\n`) });
    const setup: DomainSetup = {
      ...setupOf(domain),
      selectors: [
        { selector: 'r1', publicKey: p },
        { selector: 'r2', publicKey: nextKey },
      ],
    };
    const random = createRandom(7);
    const tags = ['v=DKIM1', 'V=DKIM1', 'v=dkim1', 'k=rsa', 'K=rsa', 'k=RSA', 'k=ed25519'].concat(
      ['s=email', 's=*', 's=Email', 's=x:email', 's=x', 'S=x', 'h=sha256', 'h=sha1', 'h=sha1 : sha256'],
      ['h=SHA256', 't=s', 't=y', 'T=y', 'n=note; x=', 'n=a "b" c', 'n=ü', '', 'word', '1=x', 'v', 'v =DKIM1'],
    );
    const keys = [
      `p=${p}`,
      `p=${p}`,
      `p = ${p.slice(0, 70)}\r\n\t${p.slice(70)}`,
      `P=${p}`,
      `p=“${p}”`,
      'p=',
    ];
    const verdicts = new Set<string>();
    for (let count = 0; count < 400; count += 1) {
      const chosen = Array.from({ length: random.below(4) }, () => random.pick(tags));
      chosen.splice(random.below(chosen.length + 1), 0, random.pick(keys));
      const record = chosen.join(random.pick([';', '; ', ' ;\t'])) + random.pick(['', ';', ' ; ']);
      const answer = (name: string): Promise<DnsAnswer<string>> =>
        Promise.resolve({ outcome: 'found', values: [name.startsWith('r1.') ? record : dkim(nextKey)] });
      const absent = () => Promise.resolve({ outcome: 'absent', reason: 'no_data' } as const);
      const lookups = { txt: answer, cname: absent, mx: absent, addresses: absent, caa: absent };
      const { verdict, advice } = await checkDkim(lookups, setup);
      const problem = verifySignature(message, record);
      assert.equal(verdict === 'fail', problem !== undefined, `${record}: ${problem}`);
      assert.equal(verdict === 'pass', advice.length === 0, record);
      if (verdict !== 'fail')
        assert.deepEqual(
          await verifyWithMailauth(message, { [`r1._domainkey.${domain}`]: record }, true),
          ['pass'],
          record,
        );
      verdicts.add(verdict);
    }
    assert.deepEqual([...verdicts].toSorted(), ['fail', 'pass', 'warn']);
  });

  /** Names that answer, so that both sides see the same. */
  const answering = namedCases.filter(
    (one) => !/silent|SERVFAIL|REFUSED|isEndless|fault/.test(JSON.stringify(zoneOf(one))),
  );
  const resolverOf = () => {
    const resolver = new Resolver();
    resolver.setServers([server.address]);
    return (name: string, type: string) => resolver.resolve(name, type) as Promise<string[]>;
  };

  test('SPF agrees with mailauth, and is counted over the whole tree (R5.5)', async () => {
    let compared = 0;
    for (const one of answering) {
      const { domain } = one;
      const tree = await withLookups(server.address, queryLimits, 5_000, (lookups) =>
        walkSpf(lookups, domain),
      );
      // mailauth knows the message, and has no limit for the size of an answer.
      if (tree.macros.length > 0 || tree.unanswered !== undefined) continue;
      const isBroken =
        tree.root.records.length > 1 ||
        tree.problems.length > 0 ||
        tree.lookups > 10 ||
        tree.voids.length > 2;
      // Of the first address, nothing may match: mailauth stops at the first match.
      for (const ip of isBroken ? ['198.51.100.99'] : ['198.51.100.99', '192.0.2.10', '2001:db8::10']) {
        const { status } = await spf({
          ip,
          sender: `a@${domain}`,
          helo: 'mx.reachout.test',
          mta: 'a.test',
          resolver: resolverOf(),
          strict: true,
        });
        const qualifier = evaluateSpf(tree.root, ip) ?? '?';
        const ours = tree.root.records.length === 0 ? 'none' : isBroken ? 'permerror' : spfResults[qualifier];
        assert.equal(ours, status.result, `${one.title}, ${ip}: ${tree.root.records.join(' | ')}`);
        compared += 1;
      }
    }
    assert.ok(compared > 200, `${compared} compared`);
  });

  test('DMARC discovery and alignment agree with mailauth', async () => {
    let compared = 0;
    for (const one of answering) {
      const { domain } = one;
      const usual = setupOf(domain);
      const setup = { ...usual, ...one.setup?.(usual) };
      const signing = one.signingDomain?.replace('<d>', domain) ?? domain;
      const result = await run((lookups) => checkDmarc(lookups, setup, signing));
      const codes = result.advice.map(({ code }) => code);
      if (codes.includes('answer_too_large') || codes.includes('dmarc_tag_case')) continue;
      const theirs = await verifyDmarc({
        headerFrom: domain,
        dkimDomains: [{ domain: signing }],
        resolver: resolverOf(),
        strict: true,
      });
      assert.ok(theirs !== false);
      const walk = await withLookups(server.address, queryLimits, 5_000, (lookups) =>
        walkDmarc(lookups, domain),
      );
      const isUsable = !codes.includes('dmarc_no_policy') && !codes.includes('record_quotes');
      assert.equal(isUsable ? policyRecord(domain, walk)?.domain : undefined, theirs.policyDomain, one.title);
      assert.equal(organizationalDomain(domain, walk), theirs.domain, one.title);
      const fails = codes.includes('dmarc_dkim_unaligned') || codes.includes('dmarc_strict_dkim');
      if (theirs.policyDomain !== undefined)
        assert.equal(fails ? 'fail' : 'pass', theirs.status.result, one.title);
      const inherited = result.advice.find(({ code }) => code === 'dmarc_inherited');
      if (inherited !== undefined) assert.equal(inherited.params['policy'], theirs.policy, one.title);
      compared += 1;
    }
    assert.ok(compared > 80, `${compared} compared`);
  });

  test('the DMARC walk takes at most eight queries', async () => {
    const earlier = server.queries.length;
    const domain = 'a.b.c.d.e.f.g.h.i.j.case-0.example';
    await withLookups(server.address, queryLimits, 5_000, (lookups) => walkDmarc(lookups, domain));
    const names = server.queries.slice(earlier);
    assert.equal(names.length, 8);
    assert.deepEqual(names.slice(0, 2), [`TXT _dmarc.${domain}`, 'TXT _dmarc.f.g.h.i.j.case-0.example']);
  });
});

const spfResults = { '+': 'pass', '-': 'fail', '~': 'softfail', '?': 'neutral' } as const;

function zoneOf({ zone = {}, domain }: NamedCase): Zone {
  const changes = JSON.parse(
    JSON.stringify(Object.entries(zone).map(([name, entry]) => [name, entry ?? null])).replaceAll(
      '<d>',
      domain,
    ),
  ) as [string, Zone[string] | null][];
  const entries = Object.entries({ ...goodZone(domain), ...Object.fromEntries(changes) });
  return Object.fromEntries(entries.filter(([, entry]) => entry !== null)) as Zone;
}

async function runAll(run: CheckRunner, one: NamedCase): Promise<Record<CheckName, DomainCheckResult>> {
  const usual = setupOf(one.domain);
  const setup = { ...usual, ...one.setup?.(usual) };
  const probe = () => Promise.resolve(one.probe ?? ok);
  const [ofDkim, ofSpf, ofReturnPath, ofDmarc, ofTracking] = await Promise.all([
    run((lookups) => checkDkim(lookups, setup)),
    run((lookups) => checkSpf(lookups, setup)),
    run((lookups) => checkReturnPath(lookups, setup)),
    run((lookups) => checkDmarc(lookups, setup, one.signingDomain?.replace('<d>', one.domain))),
    run((lookups) => checkTracking(lookups, setup, { probe, issuers: ['letsencrypt.org'], now })),
  ]);
  return { dkim: ofDkim, spf: ofSpf, return_path: ofReturnPath, dmarc: ofDmarc, tracking: ofTracking };
}

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { DomainAdviceCode, DomainCheckResult } from '@reachout/contract/rules/domain-advice.ts';
import { checkDkim } from '../../apps/server/src/email/domains/check-dkim.ts';
import { checkDmarc } from '../../apps/server/src/email/domains/check-dmarc.ts';
import { checkReturnPath } from '../../apps/server/src/email/domains/check-return-path.ts';
import { checkSpf } from '../../apps/server/src/email/domains/check-spf.ts';
import { checkTracking } from '../../apps/server/src/email/domains/check-tracking.ts';
import type { DomainSetup } from '../../apps/server/src/email/domains/records-for.ts';
import type { TrackingProbeResult } from '../../apps/server/src/email/domains/probe-tracking.ts';
import { createCheckRunner, type CheckRunner } from '../../apps/server/src/email/domains/run-check.ts';
import { keyRecordOf, makeDkimKey } from '../../apps/server/src/testing/dkim-key.ts';
import { openDkim, type OpenDkim } from './open-dkim.ts';
import { startBind, textRecord, type Bind } from './start-bind.ts';

const [ownKey, nextKey, otherKey, shortKey] = [
  makeDkimKey(),
  makeDkimKey(),
  makeDkimKey(),
  makeDkimKey(1024),
];
const record = keyRecordOf(ownKey);
const publicKeyOf = (privateKey: string) => keyRecordOf(privateKey).replace(/^.*p=/, '');
const publicKey = publicKeyOf(ownKey);

const checkNames = ['dkim', 'spf', 'return_path', 'dmarc', 'tracking'] as const;
type CheckName = (typeof checkNames)[number];
type Expected = [verdict: DomainCheckResult['verdict'], ...advice: DomainAdviceCode[]];

/** Groups of the records of a domain, each replaced as a whole. */
interface Records {
  key: string[];
  nextKey: string[];
  spf: string[];
  bounce: string[];
  dmarc: string[];
  click: string[];
  others: string[];
}

interface Case extends Partial<Record<CheckName, Expected>> {
  /** What is left out is as it should be. @param name  of the domain, within its zone */
  records?: (name: string) => Partial<Records>;
  setup?: (setup: DomainSetup) => Partial<DomainSetup>;
  /** `d=` of signatures; below the domain. */
  signer?: string;
  probe?: TrackingProbeResult;
  /** The exit code of opendkim-testkey: 0, as without it, if the key is good, 65 if it is another one, 69 if there is none to use. */
  testKey?: 65 | 69;
  privateKey?: string;
}

const covering = 'include:_spf.plat.test';
const key = (...values: string[]) => ({
  records: (name: string) => ({ key: values.map((value) => textRecord(`r1._domainkey.${name}`, value)) }),
});
const spf = (value: string, others: (name: string) => string[] = () => []) => ({
  records: (name: string) => ({
    spf: [textRecord(name, value.replaceAll('<d>', `${name}.bad.test`))],
    others: others(name),
  }),
});
const dmarc = (...values: string[]) => ({
  records: (name: string) => ({
    dmarc: values.map((value) => textRecord(`_dmarc.${name}`, value.replaceAll('<d>', `${name}.bad.test`))),
  }),
});
const services = (count: number) => (name: string) =>
  Array.from({ length: count }, (_, n) => textRecord(`s${n}.${name}`, 'v=spf1 ip4:198.51.100.1 -all'));
const includes = (count: number) => Array.from({ length: count }, (_, n) => `include:s${n}.<d>`).join(' ');
const byMx = ({ bounce: { host, mx } }: DomainSetup): Partial<DomainSetup> => ({ bounce: { host, mx } });

/** By the name of the domain in bad.test: one for each fault. Each check without an expectation passes without advice. */
const cases: Record<string, Case> = {
  // DKIM.
  'key-absent': { ...key(), dkim: ['fail', 'record_missing'], testKey: 69 },
  'key-other': { ...key(keyRecordOf(otherKey)), dkim: ['fail', 'dkim_other_key'], testKey: 65 },
  'key-revoked': { ...key('v=DKIM1; k=rsa; p='), dkim: ['fail', 'dkim_revoked'], testKey: 69 },
  'key-twice': { ...key(record, keyRecordOf(otherKey)), dkim: ['fail', 'dkim_several'], testKey: 69 },
  'key-foreign-characters': {
    ...key(`v=DKIM1; k=rsa; p=${publicKey.slice(0, 40)}*${publicKey.slice(41)}`),
    dkim: ['fail', 'dkim_bad_base64'],
    testKey: 65,
  },
  'key-cut': { ...key(record.slice(0, 255)), dkim: ['fail', 'dkim_key_cut'], testKey: 69 },
  'key-quoted': { ...key(`"${record}"`), dkim: ['fail', 'record_quotes'], testKey: 69 },
  'key-escaped': { ...key(record.replaceAll(';', '\\;')), dkim: ['fail', 'record_backslashes'], testKey: 69 },
  'key-of-service': {
    ...key(`v=DKIM1; s=tlsrpt; p=${publicKey}`),
    dkim: ['fail', 'dkim_service'],
    testKey: 69,
  },
  'key-sha1': { ...key(`v=DKIM1; h=sha1; p=${publicKey}`), dkim: ['fail', 'dkim_hash'] },
  'key-testing': { ...key(`v=DKIM1; t=y; p=${publicKey}`), dkim: ['warn', 'dkim_testing'] },
  'key-short': {
    ...key(keyRecordOf(shortKey)),
    setup: ({ selectors }) => ({
      selectors: [{ selector: 'r1', publicKey: publicKeyOf(shortKey) }, selectors[1]],
    }),
    privateKey: shortKey,
    dkim: ['warn', 'dkim_short_key'],
  },
  'key-doubled': {
    records: (name) => ({ key: [textRecord(`r1._domainkey.${name}.bad.test`, record)] }),
    dkim: ['fail', 'record_doubled'],
    testKey: 69,
  },
  'key-alias': {
    records: (name) => ({ key: [`r1._domainkey.${name} CNAME r1.keys.plat.test.`] }),
    setup: ({ selectors: [signing, next] }) => ({
      selectors: [{ ...signing, target: 'r1.keys.plat.test' }, next],
    }),
  },
  'key-alias-elsewhere': {
    records: (name) => ({ key: [`r1._domainkey.${name} CNAME r2.keys.plat.test.`] }),
    setup: ({ selectors: [signing, next] }) => ({
      selectors: [{ ...signing, target: 'r1.keys.plat.test' }, next],
    }),
    dkim: ['fail', 'wrong_target'],
    testKey: 65,
  },
  'key-next-absent': { records: () => ({ nextKey: [] }), dkim: ['warn', 'dkim_second_missing'] },
  // SPF.
  'spf-absent': { records: () => ({ spf: [] }), spf: ['warn', 'spf_from_missing'] },
  'spf-twice': {
    records: (name) => ({
      spf: [textRecord(name, `v=spf1 ${covering} -all`), textRecord(name, 'v=spf1 ip4:203.0.113.0/24 ~all')],
    }),
    spf: ['fail', 'spf_mergeable'],
  },
  'spf-many': {
    ...spf(`v=spf1 ${covering} ${includes(11)} -all`, services(11)),
    spf: ['fail', 'spf_too_many_lookups'],
  },
  'spf-nearly-many': {
    ...spf(`v=spf1 ${covering} ${includes(9)} -all`, services(9)),
    spf: ['warn', 'spf_many_lookups'],
  },
  'spf-loop': {
    ...spf(`v=spf1 ${covering} include:back.<d> -all`, (name) => [
      textRecord(`back.${name}`, `v=spf1 include:${name}.bad.test -all`),
    ]),
    spf: ['fail', 'spf_loop'],
  },
  'spf-open': { ...spf(`v=spf1 ${covering} +all`), spf: ['fail', 'spf_all_pass'] },
  'spf-neutral': { ...spf(`v=spf1 ${covering} ?all`), spf: ['warn', 'spf_neutral_all'] },
  'spf-endless': { ...spf(`v=spf1 ${covering}`), spf: ['warn', 'spf_no_all'] },
  'spf-ptr': { ...spf(`v=spf1 ${covering} ptr -all`), spf: ['warn', 'spf_ptr'] },
  'spf-macros': { ...spf('v=spf1 include:%{i}.spf.<d> -all'), spf: ['warn', 'spf_macros'] },
  'spf-voids': {
    ...spf(`v=spf1 ${covering} a:x.<d> mx:y.<d> exists:z.<d> -all`),
    spf: ['fail', 'spf_void_lookups'],
  },
  'spf-without-us': {
    records: (name) => ({
      spf: [textRecord(name, 'v=spf1 -all')],
      bounce: [`bounce.${name} MX 10 mx.plat.test.`, textRecord(`bounce.${name}`, 'v=spf1 mx -all')],
    }),
    setup: byMx,
    spf: ['fail', 'spf_not_covered', 'spf_not_covered'],
  },
  // Return path.
  'bounce-mx': {
    records: (name) => ({
      bounce: [`bounce.${name} MX 10 mx.plat.test.`, textRecord(`bounce.${name}`, `v=spf1 ${covering} -all`)],
    }),
    setup: byMx,
  },
  'bounce-extra-mx': {
    records: (name) => ({
      bounce: [
        `bounce.${name} MX 10 mx.plat.test.`,
        `bounce.${name} MX 20 mx.hoster.test.`,
        textRecord(`bounce.${name}`, `v=spf1 ${covering} -all`),
      ],
    }),
    setup: byMx,
    return_path: ['warn', 'return_path_extra_mx'],
  },
  'bounce-absent': {
    records: () => ({ bounce: [] }),
    spf: ['fail', 'record_missing'],
    return_path: ['fail', 'return_path_no_mx'],
  },
  // DMARC.
  'dmarc-absent': { ...dmarc(), dmarc: ['fail', 'dmarc_missing'] },
  'dmarc-twice': { ...dmarc('v=DMARC1; p=none', 'v=DMARC1; p=reject'), dmarc: ['fail', 'dmarc_several'] },
  'dmarc-lower-case': { ...dmarc('v=dmarc1; p=reject'), dmarc: ['fail', 'dmarc_wrong_case'] },
  'dmarc-unusable': { ...dmarc('hello'), dmarc: ['fail', 'dmarc_unusable'] },
  'dmarc-none': { ...dmarc('v=DMARC1; p=none; rua=mailto:d@<d>'), dmarc: ['warn', 'dmarc_policy_none'] },
  'dmarc-pct': { ...dmarc('v=DMARC1; p=reject; pct=50; rua=mailto:d@<d>'), dmarc: ['warn', 'dmarc_pct'] },
  'dmarc-testing': {
    ...dmarc('v=DMARC1; p=reject; t=y; rua=mailto:d@<d>'),
    dmarc: ['warn', 'dmarc_testing'],
  },
  'dmarc-silent': { ...dmarc('v=DMARC1; p=reject'), dmarc: ['warn', 'dmarc_no_reports'] },
  'dmarc-unknown': {
    ...dmarc('v=DMARC1; p=block; rua=mailto:d@<d>'),
    dmarc: ['warn', 'dmarc_unknown_policy'],
  },
  'dmarc-strict-spf': {
    ...dmarc('v=DMARC1; p=reject; aspf=s; rua=mailto:d@<d>'),
    dmarc: ['warn', 'dmarc_strict_spf'],
  },
  'dmarc-strict-dkim': {
    ...dmarc('v=DMARC1; p=reject; adkim=s; rua=mailto:d@<d>'),
    signer: 'mail',
    dmarc: ['fail', 'dmarc_strict_dkim'],
  },
  'dmarc-foreign-reports': {
    ...dmarc('v=DMARC1; p=reject; rua=mailto:d@plat.test'),
    dmarc: ['warn', 'dmarc_report_consent'],
  },
  'news.dmarc-inherited': {
    records: () => ({
      dmarc: [],
      others: [textRecord('_dmarc.dmarc-inherited', 'v=DMARC1; p=reject; rua=mailto:d@bad.test')],
    }),
    dmarc: ['warn', 'dmarc_inherited'],
  },
  // Tracking.
  'click-absent': { records: () => ({ click: [] }), tracking: ['fail', 'record_missing'] },
  'click-elsewhere': {
    records: (name) => ({ click: [`click.${name} CNAME shop.plat.test.`] }),
    tracking: ['fail', 'wrong_target'],
  },
  'click-chain': {
    records: (name) => ({
      click: [`click.${name} CNAME one.${name}`, `one.${name} CNAME links.plat.test.`],
    }),
  },
  'click-address': {
    records: (name) => ({ click: [`click.${name} A 192.0.2.80`] }),
    tracking: ['warn', 'tracking_flattened'],
  },
  'click-proxy': {
    records: (name) => ({ click: [`click.${name} A 192.0.2.81`] }),
    probe: { outcome: 'other_answer', answer: 'HTTP 404' },
    tracking: ['fail', 'tracking_proxy'],
  },
  'click-plain': { probe: { outcome: 'http_only' }, tracking: ['warn', 'tracking_http_only'] },
  'click-caa': {
    records: (name) => ({ others: [`${name} CAA 0 issue "pki.test"`] }),
    tracking: ['fail', 'tracking_caa'],
  },
};

/** @param name  of the domain, within its zone */
const usual = (name: string): Records => {
  const below = (label: string) => (name === '@' ? label : `${label}.${name}`);
  return {
    key: [textRecord(below('r1._domainkey'), record)],
    nextKey: [textRecord(below('r2._domainkey'), keyRecordOf(nextKey))],
    spf: [textRecord(name, `v=spf1 ${covering} ~all`)],
    bounce: [`${below('bounce')} CNAME bounce.plat.test.`],
    dmarc: [textRecord(below('_dmarc'), 'v=DMARC1; p=reject; rua=mailto:dmarc@reports.test')],
    click: [`${below('click')} CNAME links.plat.test.`],
    others: [],
  };
};

const linesOf = (records: Records): string[] => Object.values<string[]>({ ...records }).flat();

const setupOf = (domain: string): DomainSetup => ({
  domain,
  selectors: [
    { selector: 'r1', publicKey },
    { selector: 'r2', publicKey: publicKeyOf(nextKey) },
  ],
  bounce: { host: `bounce.${domain}`, target: 'bounce.plat.test', mx: 'mx.plat.test' },
  senders: { addresses: [], include: '_spf.plat.test' },
  reportAddress: `dmarc@${domain}`,
  tracking: { host: `click.${domain}`, target: 'links.plat.test' },
});

suite('checks of sending domains in DNS', () => {
  let bind: Bind;
  let dkim: OpenDkim;
  let run: CheckRunner;

  before(async () => {
    bind = await startBind({
      'good.test': linesOf(usual('@')),
      'bad.test': Object.entries(cases).flatMap(([name, { records }]) =>
        linesOf({ ...usual(name), ...records?.(name) }),
      ),
      // Agrees to be sent the reports of all.
      'reports.test': [textRecord('*._report._dmarc', 'v=DMARC1')],
      'plat.test': [
        'bounce MX 10 mx',
        textRecord('bounce', `v=spf1 ${covering} -all`),
        textRecord('_spf', 'v=spf1 ip4:192.0.2.10 -all'),
        textRecord('r1.keys', record),
        textRecord('r2.keys', keyRecordOf(nextKey)),
        ...['mx', 'links', 'shop'].map((name) => `${name} A 192.0.2.80`),
      ],
    });
    dkim = await openDkim(bind);
    run = createCheckRunner([`127.0.0.1:${bind.port}`]);
  });
  after(() => bind.stop());

  async function check(domain: string, one: Case): Promise<Record<CheckName, DomainCheckResult>> {
    const given = setupOf(domain);
    const setup = { ...given, ...one.setup?.(given) };
    const probe = () =>
      Promise.resolve(one.probe ?? ({ outcome: 'ok', certificateEndsAt: undefined } as const));
    const signing = one.signer === undefined ? domain : `${one.signer}.${domain}`;
    return {
      dkim: await run((lookups) => checkDkim(lookups, setup)),
      spf: await run((lookups) => checkSpf(lookups, setup)),
      return_path: await run((lookups) => checkReturnPath(lookups, setup)),
      dmarc: await run((lookups) => checkDmarc(lookups, setup, signing)),
      tracking: await run((lookups) =>
        checkTracking(lookups, setup, { probe, issuers: ['letsencrypt.org'], now: new Date() }),
      ),
    };
  }
  const wordsOf = ({ verdict, advice }: DomainCheckResult) =>
    [verdict, ...advice.map(({ code }) => code)].join(' ');

  test('each domain has the verdicts of its records', async (t) => {
    const got: Record<string, string> = {};
    const expected: Record<string, string> = {};
    const verdicts: string[] = [];
    for (const [domain, one] of [
      ['good.test', {} as Case] as const,
      ...Object.entries(cases).map(([name, given]) => [`${name}.bad.test`, given] as const),
    ]) {
      const results = await check(domain, one);
      for (const name of checkNames) {
        got[`${domain} ${name}`] = wordsOf(results[name]);
        expected[`${domain} ${name}`] = (one[name] ?? ['pass']).join(' ');
        verdicts.push(results[name].verdict);
      }
    }
    assert.deepEqual(got, expected);
    const counts = Object.entries(Object.groupBy(verdicts, (verdict) => verdict)).map(
      ([verdict, all]) => `${all?.length} ${verdict}`,
    );
    t.diagnostic(`${Object.keys(cases).length + 1} domains: ${counts.join(', ')}`);
  });

  test('a zone out of reach is no verdict about its records', async () => {
    const results = await check('elsewhere.example', {});
    for (const name of checkNames) assert.equal(results[name].verdict, 'temporary_error', name);
  });

  test('opendkim-testkey judges keys as the check does', async (t) => {
    const codes: Record<string, number | null> = {};
    const expected: Record<string, number> = {};
    for (const [name, { privateKey = ownKey, testKey = 0, dkim: verdict = ['pass'] }] of Object.entries(
      cases,
    )) {
      codes[name] = (await dkim.testKey(`${name}.bad.test`, 'r1', privateKey)).code;
      expected[name] = testKey;
      if (name !== blindSpot) assert.equal(testKey !== 0, verdict[0] === 'fail', name);
    }
    assert.deepEqual(codes, expected);
    t.diagnostic(`${Object.keys(codes).length - 1} keys judged alike`);
  });
});

/** opendkim-testkey does not look at the hashes that a key is for. */
const blindSpot = 'key-sha1';

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { subject as asSubject } from '@casl/ability';
import {
  abilityOf,
  actions,
  apiKeyScopes,
  builtInRules,
  clientSubjects,
  lacksClients,
  fillRules,
  canGrant,
  accessScopeOf,
  rulesFor,
  rulesOfScopes,
  subjects,
  type AbilityRule,
  type Action,
  type Role,
  type Subject,
} from './abilities.ts';
import { intersectAccessScopes, type AccessScope } from './access-scope.ts';

const here = '01900000-0000-7000-8000-00000000000a';
const elsewhere = '01900000-0000-7000-8000-00000000000b';
const [a, b, x, y] = ['client-a', 'client-b', 'brand-x', 'brand-y'];

const rule = (action: Action, on: Subject, conditions?: unknown, inverted?: boolean) =>
  ({
    action,
    subject: on,
    ...(conditions === undefined ? {} : { conditions }),
    ...(inverted === undefined ? {} : { inverted }),
  }) as AbilityRule;
const accessScope = (rules: AbilityRule[], action: Action = 'read', on: Subject = 'Brand') =>
  accessScopeOf(rules, action, on, here);
const clients = (...client_ids: string[]): AccessScope => ({ client_ids, brand_ids: [] });
const brands = (...brand_ids: string[]): AccessScope => ({ client_ids: [], brand_ids });

suite('access scopes of rules (TEN-9)', () => {
  test('unconditional rules reach everything, missing rules nothing', () => {
    assert.equal(accessScope([]), 'nothing');
    assert.equal(accessScope([rule('read', 'Brand')]), 'all');
    assert.equal(accessScope([rule('read', 'Client')]), 'nothing');
    assert.equal(accessScope([rule('update', 'Brand')]), 'nothing');
    for (const action of actions) {
      for (const on of subjects) {
        assert.equal(accessScope([rule('manage', 'all')], action, on), 'all');
        assert.equal(accessScope([rule('manage', 'Brand')], action, on), on === 'Brand' ? 'all' : 'nothing');
        assert.equal(accessScope([rule('read', 'all')], action, on), action === 'read' ? 'all' : 'nothing');
      }
    }
  });

  test('conditions add clients and brands', () => {
    for (const condition of [a, { $eq: a }, { $in: [a] }])
      assert.deepEqual(accessScope([rule('read', 'Brand', { client_id: condition })]), clients(a));
    assert.deepEqual(accessScope([rule('read', 'Brand', { brand_id: { $in: [x, y] } })]), brands(x, y));
    assert.deepEqual(
      accessScope([
        rule('read', 'Brand', { client_id: a }),
        rule('read', 'Brand', { client_id: { $in: [b, a] } }),
        rule('read', 'all', { brand_id: x }),
      ]),
      { client_ids: [a, b], brand_ids: [x] },
    );
    assert.equal(accessScope([rule('read', 'Brand', { client_id: a }), rule('read', 'Brand')]), 'all');
    assert.equal(accessScope([rule('read', 'Brand'), rule('read', 'Brand', { client_id: a })]), 'all');
  });

  test('later rules override earlier ones', () => {
    const exception = rule('read', 'Brand', undefined, true);
    assert.equal(accessScope([rule('read', 'all'), exception]), 'nothing');
    assert.equal(accessScope([exception, rule('read', 'all')]), 'all');
    assert.deepEqual(
      accessScope([rule('read', 'all'), exception, rule('read', 'Brand', { brand_id: x })]),
      brands(x),
    );
    assert.equal(accessScope([rule('manage', 'all'), rule('manage', 'all', undefined, true)]), 'nothing');
    assert.equal(accessScope([rule('read', 'all'), exception], 'read', 'Client'), 'all');
    // An exception with conditions cannot be converted to SQL conditions, so it denies everything.
    assert.equal(
      accessScope([rule('read', 'all'), rule('read', 'Brand', { client_id: a }, true)]),
      'nothing',
    );
  });

  test('unknown conditions give no access', () => {
    const conditions = [
      { client_id: { $ne: a } },
      { client_id: { $nin: [a] } },
      { client_id: { $exists: true } },
      { client_id: { $regex: '.*' } },
      { client_id: { $in: a } },
      { client_id: { $in: [] } },
      { client_id: { $in: [a, null] } },
      { client_id: { $in: [a], $ne: b } },
      { client_id: {} },
      { client_id: null },
      { client_id: 7 },
      { client_id: [a] },
      { client_id: { $in: '${client_ids}' } },
      { name: 'Nordwind' },
      { id: a },
      { 'brand.client_id': a },
      { client_id: a, brand_id: x },
      { $or: [{ client_id: a }] },
      { $and: [] },
      'client_id',
      [{ client_id: a }],
      true,
      7,
    ];
    for (const condition of conditions) {
      const rules = [rule('read', 'Brand', condition)];
      assert.equal(accessScope(rules), 'nothing', JSON.stringify(condition));
      // It does not restrict what other rules grant either.
      assert.deepEqual(accessScope([...rules, rule('read', 'Brand', { client_id: b })]), clients(b));
    }
  });

  test('conditions require subjects of clients', () => {
    for (const on of subjects) {
      const isBeneath = (clientSubjects as readonly string[]).includes(on);
      for (const condition of [{ client_id: a }, { brand_id: x }])
        assert.equal(
          accessScope([rule('read', 'all', condition)], 'read', on) === 'nothing',
          !isBeneath,
          `${on} ${JSON.stringify(condition)}`,
        );
    }
  });

  test('conditions on other organizations give no access', () => {
    for (const condition of [here, { $eq: here }, { $in: [elsewhere, here] }])
      assert.equal(
        accessScope([rule('read', 'Member', { organization_id: condition })], 'read', 'Member'),
        'all',
      );
    for (const condition of [elsewhere, { $in: [elsewhere] }, { $in: [] }, { $ne: elsewhere }, null, {}])
      assert.equal(
        accessScope([rule('read', 'Brand', { organization_id: condition })]),
        'nothing',
        JSON.stringify(condition),
      );
    assert.deepEqual(
      accessScope([rule('read', 'Brand', { organization_id: here, client_id: a })]),
      clients(a),
    );
    assert.equal(
      accessScope([rule('read', 'Brand', { organization_id: elsewhere, client_id: a })]),
      'nothing',
    );
  });

  test('placeholders become the current organization and clients', () => {
    const rules = [
      rule('read', 'Brand', { organization_id: '${organization_id}', client_id: { $in: '${client_ids}' } }),
    ];
    const filled = (client_ids: string[]) =>
      accessScope(fillRules(rules, { organization_id: here, client_ids }));
    assert.deepEqual(filled([a, b]), clients(a, b));
    assert.equal(filled([]), 'nothing');
    assert.equal(
      accessScopeOf(fillRules(rules, { organization_id: elsewhere, client_ids: [a] }), 'read', 'Brand', here),
      'nothing',
    );
    // The rules themselves stay as they are, for the next member.
    assert.match(JSON.stringify(rules), /\$\{organization_id\}.*\$\{client_ids\}/);
  });

  test('two permissions give the intersection of their scopes', () => {
    assert.equal(intersectAccessScopes('all', 'all'), 'all');
    assert.deepEqual(intersectAccessScopes('all', clients(a)), clients(a));
    assert.deepEqual(intersectAccessScopes(clients(a, b), 'all'), clients(a, b));
    assert.deepEqual(intersectAccessScopes(clients(a, b), clients(b)), clients(b));
    assert.deepEqual(intersectAccessScopes(clients(a), brands(x)), { client_ids: [], brand_ids: [] });
    for (const other of ['all', 'nothing', clients(a)] as const) {
      assert.equal(intersectAccessScopes('nothing', other), 'nothing');
      assert.equal(intersectAccessScopes(other, 'nothing'), 'nothing');
    }
  });
});

suite('built-in roles', () => {
  const filled = (role: Role, client_ids: string[] = []) =>
    fillRules(builtInRules[role], { organization_id: here, client_ids });

  test('built-in roles match their table', () => {
    for (const action of actions) {
      for (const on of subjects) {
        const of = (role: Role, ids?: string[]) => accessScope(filled(role, ids), action, on);
        const what = `${action} ${on}`;
        assert.equal(of('owner'), 'all', what);
        assert.equal(of('admin'), what === 'delete Organization' ? 'nothing' : 'all', what);
        assert.equal(of('analyst'), action === 'read' ? 'all' : 'nothing', what);
        const edits = 'Client Brand Campaign Touchpoint Template Content Consent Filter'.split(' ');
        const canEdit = ['create', 'update', 'delete'].includes(action) && edits.includes(on);
        const isEditors = action === 'read' || canEdit || what === 'send Touchpoint';
        assert.equal(of('editor'), isEditors ? 'all' : 'nothing', what);
        const isGuests =
          action === 'read' && on !== 'Consent' && (clientSubjects as readonly string[]).includes(on);
        assert.deepEqual(
          of('guest', [a]),
          what === 'read Organization' ? 'all' : isGuests ? clients(a) : 'nothing',
          what,
        );
        assert.equal(of('guest'), what === 'read Organization' ? 'all' : 'nothing', what);
      }
    }
  });

  test('roles that require clients show nothing without them', () => {
    assert.equal(lacksClients(filled('guest')), true);
    assert.equal(lacksClients(filled('guest', [a])), false);
    for (const role of ['owner', 'admin', 'editor', 'analyst'] as const)
      assert.equal(lacksClients(filled(role)), false, role);
    assert.equal(lacksClients([{ action: 'read', subject: 'Template' }]), false);
    for (const on of clientSubjects) assert.equal(abilityOf(filled('guest')).can('read', on), false, on);
    assert.equal(abilityOf(filled('guest')).can('read', 'Organization'), true);
  });

  test('custom roles cannot replace them, and missing ones read (TEN-10)', () => {
    assert.equal(rulesFor('owner', [rule('read', 'Brand')]), builtInRules.owner);
    for (const role of ['Owner', 'owner ', '', 'constructor', '__proto__', 'toString']) {
      for (const own of [null, undefined]) {
        const rules = rulesFor(role, own);
        for (const action of actions)
          for (const on of subjects)
            assert.equal(accessScope(rules, action, on), action === 'read' ? 'all' : 'nothing', role);
      }
    }
    assert.deepEqual(rulesFor('own', []), []);
    assert.deepEqual(rulesFor('own', [rule('read', 'Brand')]), [rule('read', 'Brand')]);
  });
});

suite('granting of rules (TEN-9)', () => {
  const roleOf = (role: Role, client_ids: string[] = []) =>
    fillRules(builtInRules[role], { organization_id: here, client_ids });
  const may = (giver: AbilityRule[], given: AbilityRule[]) => canGrant(giver, given, here);

  test('built-in roles limit what members grant', () => {
    const grants: Record<Role, Role[]> = {
      owner: ['owner', 'admin', 'editor', 'analyst', 'guest'],
      admin: ['admin', 'editor', 'analyst', 'guest'],
      editor: ['editor', 'analyst', 'guest'],
      analyst: ['analyst', 'guest'],
      guest: ['guest'],
    };
    for (const giver of Object.keys(grants) as Role[])
      for (const given of Object.keys(grants) as Role[])
        assert.equal(
          may(roleOf(giver, [a, b]), roleOf(given, [a])),
          grants[giver].includes(given),
          `${giver} gives ${given}`,
        );
  });

  test('limits to clients and brands apply to grants', () => {
    const limited = [rule('manage', 'all', { client_id: { $in: [a, b] } })];
    const cases: [given: AbilityRule[], expected: boolean][] = [
      [[], true],
      [[rule('read', 'Brand', { client_id: a })], true],
      [[rule('manage', 'Campaign', { client_id: { $in: [a, b] } })], true],
      [[rule('read', 'Brand', { client_id: { $in: [a, 'client-c'] } })], false],
      // The client of that brand is not known here.
      [[rule('read', 'Brand', { brand_id: x })], false],
      [[rule('read', 'Brand')], false],
      [[rule('read', 'Member')], false],
      [[rule('read', 'all'), rule('read', 'all', undefined, true)], true],
      [[rule('read', 'all', undefined, true), rule('read', 'all')], false],
      // Unsupported conditions grant nothing.
      [[rule('read', 'Brand', { client_id: { $ne: a } })], true],
    ];
    for (const [given, expected] of cases) assert.equal(may(limited, given), expected, JSON.stringify(given));
    assert.equal(may(roleOf('guest', [a]), roleOf('guest', [a, b])), false);
    assert.equal(may(roleOf('guest', [a]), roleOf('guest', [])), true);
  });

  test('exceptions of the grantor apply to grants', () => {
    const giver = [rule('manage', 'all'), rule('delete', 'Client', undefined, true)];
    assert.equal(may(giver, [rule('update', 'Client')]), true);
    assert.equal(may(giver, [rule('delete', 'Client')]), false);
    assert.equal(may(giver, [rule('manage', 'all')]), false);
    assert.equal(may(giver, giver), true);
    // An exception before the rule has no effect.
    assert.equal(may(giver, giver.toReversed()), false);
  });

  test('placeholders cannot widen a grant', () => {
    const limited = [rule('manage', 'all', { client_id: a })];
    const open = [rule('read', 'Brand', { client_id: { $in: '${client_ids}' } })];
    assert.equal(may(limited, open), false);
    assert.equal(may([rule('read', 'Brand')], open), true);
    assert.equal(may(limited, [rule('read', 'Brand', { organization_id: '${organization_id}' })]), false);
    assert.equal(may(limited, fillRules(open, { organization_id: here, client_ids: [a] })), true);
  });

  test('API key scopes limit grants', () => {
    const all = rulesOfScopes(Object.keys(apiKeyScopes));
    assert.equal(may(roleOf('editor'), all), true);
    assert.equal(may(roleOf('analyst'), all), false);
    assert.equal(may(roleOf('analyst'), rulesOfScopes(['statistics:read', 'content:read'])), true);
    assert.deepEqual(rulesOfScopes(['constructor', '__proto__', 'clients']), []);
    for (const on of ['Member', 'Invitation', 'ApiKey', 'AuditLog', 'Billing'] as const)
      for (const action of actions) assert.equal(accessScope(all, action, on), 'nothing', `${action} ${on}`);
  });
});

suite('permissions in the web app', () => {
  /** Deterministic pseudo-random numbers. */
  function* numbers(seed: number): Generator<number, never> {
    for (let state = seed; ; state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) yield state >> 8;
  }

  test('unconditional rules match the server (2,000 lists)', () => {
    const source = numbers(1);
    const pick = <T>(list: readonly T[]): T => list[source.next().value % list.length]!;
    for (let turn = 0; turn < 2_000; turn += 1) {
      const rules = Array.from({ length: source.next().value % 6 }, () =>
        rule(pick(actions), pick(subjects), undefined, pick([true, false, false])),
      );
      const ability = abilityOf(rules);
      for (const action of actions)
        for (const on of subjects)
          assert.equal(
            ability.can(action, on),
            accessScope(rules, action, on) === 'all',
            `${action} ${on}: ${JSON.stringify(rules)}`,
          );
    }
  });

  test('limited rules with plain exceptions match the server (2,000 lists)', () => {
    const source = numbers(2);
    const pick = <T>(list: readonly T[]): T => list[source.next().value % list.length]!;
    const conditions = [
      undefined,
      { client_id: a },
      { client_id: { $in: [a, b] } },
      { brand_id: { $in: [x] } },
      { brand_id: { $eq: y } },
      { organization_id: here, client_id: b },
      { organization_id: elsewhere },
    ];
    const records = [
      { organization_id: here, client_id: a, brand_id: x },
      { organization_id: here, client_id: b, brand_id: y },
      { organization_id: here, client_id: 'client-c', brand_id: 'brand-z' },
    ];
    for (let turn = 0; turn < 2_000; turn += 1) {
      const rules = Array.from({ length: 1 + (source.next().value % 5) }, () => {
        const inverted = source.next().value % 4 === 0;
        return rule(
          pick(actions),
          pick([...clientSubjects, 'all'] as const),
          inverted ? undefined : pick(conditions),
          inverted,
        );
      });
      const ability = abilityOf(rules);
      for (const action of actions)
        for (const on of clientSubjects) {
          const far = accessScope(rules, action, on);
          // Records of all clients, such as consent to email of all brands.
          const ofAll = asSubject(on, { organization_id: here }) as never;
          assert.equal(ability.can(action, ofAll), far === 'all', `${action} ${on} ${JSON.stringify(rules)}`);
          for (const record of records) {
            const isWithin =
              far === 'all' ||
              (far !== 'nothing' &&
                (far.client_ids.includes(record.client_id) || far.brand_ids.includes(record.brand_id)));
            assert.equal(
              ability.can(action, asSubject(on, { ...record }) as never),
              isWithin,
              `${action} ${on} ${JSON.stringify({ record, rules })}`,
            );
          }
        }
    }
  });
});

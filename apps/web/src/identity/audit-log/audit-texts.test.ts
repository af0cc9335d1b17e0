import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { auditFilters } from '@reachout/contract/audit-log.ts';
import { fileExports } from '@reachout/contract/file-exports.ts';
import type { OperationMeta } from '@reachout/contract/operation.ts';
import { contract } from '@reachout/contract/router.ts';
import { recipientFilter } from '@reachout/contract/sends.ts';
import { suppressionFilters } from '@reachout/contract/suppressions.ts';
import i18next from 'i18next';
import { de } from '#web/i18n/de/all.ts';
import { en } from '#web/i18n/en/all.ts';
import { listTexts } from '#web/i18n/list-texts.ts';
import { sayAction, wordOfField } from './say-action.ts';

/** Operations with manual transactions that change nothing, and therefore write no entry. */
const computing = [
  'emails.preview',
  'filters.count',
  'rpc.getAvailableDomains',
  'schedules.preview',
  'templates.preview',
];

interface Changing {
  name: string;
  fields: string[];
}

/** The operations of members that write entries, with the fields of their input. */
function* listChanging(node: object, path: string[] = []): Generator<Changing> {
  const { '~orpc': declared } = node as { '~orpc'?: Declared };
  if (declared === undefined) {
    for (const [key, child] of Object.entries(node)) yield* listChanging(child as object, [...path, key]);
    return;
  }
  const name = path.join('.');
  if (declared.meta.access.who !== 'member' || declared.route.method === 'GET' || computing.includes(name))
    return;
  yield { name, fields: Object.keys(declared.inputSchema?.shape ?? {}) };
}

interface Declared {
  meta: OperationMeta;
  route: { method?: string };
  inputSchema?: { shape?: object };
}

const changing = [...listChanging(contract)];

/** Actions that the server names where it writes an entry by itself. */
function listWritten(): string[] {
  const server = join(import.meta.dirname, '../../../../server/src');
  const source = globSync('**/*.ts', { cwd: server, exclude: ['**/*.test.ts', 'testing/**'] })
    .map((file) => readFileSync(join(server, file), 'utf8'))
    .join('\n');
  const named =
    /(?:writeAuditEntry\((?:[^()]|\([^()]*\))*?|action(?:: |'\] = )|writing\(|(?:pending|verified|failing): )'([a-zA-Z]+\.[\w.]+)'/g;
  return [...source.matchAll(named)].map(([, action]) => action!);
}

const actions = [
  'sign_in',
  'second_factor',
  ...changing.map(({ name }) => name),
  ...Object.keys(fileExports),
  ...listWritten(),
];

test('every action has a sentence, and every sentence an action', async () => {
  for (const found of ['auditLog.export', 'content.import', 'domains.failing', 'me.delete'])
    assert.ok(actions.includes(found), found);
  assert.ok(changing.length > 60, String(changing.length));
  for (const [language, texts] of Object.entries({ en, de })) {
    const { verbs, nouns, sentences } = texts.settings.audit;
    const i18n = i18next.createInstance();
    await i18n.init({ lng: language, resources: { [language]: { settings: texts.settings } } });
    const t = i18n.getFixedT(language, 'settings');
    const unused = new Set(listTexts({ audit: { verbs, nouns, sentences } }).map(([key]) => key));
    const noting = new Proxy(t, {
      apply(target, self, args: [key: string]) {
        unused.delete(args[0].replace('.', ':'));
        return Reflect.apply(target, self, args) as string;
      },
    });
    assert.deepEqual(
      actions.filter((action) => !/^\p{Lu}[^{}]+$/u.test(sayAction(noting, action) ?? '')),
      [],
      language,
    );
    assert.deepEqual([...unused], [], language);
  }
});

test('every changed field has words in the audit log', () => {
  const known = new Set([
    ...Object.keys(en.settings.audit.fields),
    ...Object.keys(en.settings.audit.details),
  ]);
  const unchanged =
    /^(?:id|organization_id|key|(?:address|contact|goal|invitation|key|social|user)_id|(?:expected|if)_\w+)$/;
  // These name what they did in details of their own, or the fields of a part.
  const described =
    /^(?:touchpoints\.create|rpc\.createTouchpoint|content\.(?:(?:create|update|delete)Items?|createShare)|sends\.|schedules\.|messages\.|emails\.|suppressions\.|consent\.|contacts\.|storage\.)/;
  const unnamed = changing
    .filter(({ name }) => !described.test(name))
    .flatMap(({ name, fields }) =>
      fields
        .filter((field) => !unchanged.test(field) && !known.has(field) && wordOfField(field) === undefined)
        .map((field) => `${name}: ${field}`),
    );
  assert.deepEqual(unnamed, []);
});

test('every filter of an export has words in the audit log', () => {
  const filters = Object.keys({ ...auditFilters, ...recipientFilter, ...suppressionFilters, period: true });
  assert.deepEqual(
    filters.filter(
      (filter) => !Object.hasOwn(en.settings.audit.fields, filter) && wordOfField(filter) === undefined,
    ),
    [],
  );
});

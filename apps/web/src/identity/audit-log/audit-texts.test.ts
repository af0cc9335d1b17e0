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
import { settings } from '#web/i18n/en/settings.ts';

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

const hasText = (texts: object, path: string): boolean => {
  let node: unknown = texts;
  for (const part of path.split('.')) node = (node as Record<string, unknown> | undefined)?.[part];
  return typeof node === 'string';
};

test('every action of the audit log has words', () => {
  const server = join(import.meta.dirname, '../../../../server/src');
  const written = globSync('**/*.ts', { cwd: server, exclude: ['**/*.test.ts', 'testing/**'] }).flatMap(
    (file) =>
      [
        ...readFileSync(join(server, file), 'utf8').matchAll(
          /(?:writeAuditEntry\((?:[^()]|\([^()]*\))*?|action: |writing\()'([a-zA-Z_]+\.[\w.]+)'/g,
        ),
      ].map(([, action]) => action!),
  );
  const others = [...Object.keys(fileExports), ...written];
  const actions = [...changing.map(({ name }) => name), ...others];
  assert.ok(others.includes('auditLog.export') && others.includes('content.import'), others.join());
  assert.ok(changing.length > 60, String(changing.length));
  assert.deepEqual(
    actions.filter((action) => !hasText(settings.audit.actions, action)),
    [],
  );
});

test('every changed field has words in the audit log', () => {
  const known = new Set([...Object.keys(settings.audit.fields), ...Object.keys(settings.audit.details)]);
  const unchanged =
    /^(?:id|organization_id|key|(?:address|contact|goal|invitation|key|social|user)_id|(?:expected|if)_\w+)$/;
  // These name what they did in details of their own, or the fields of a part.
  const described =
    /^(?:touchpoints\.create|rpc\.createTouchpoint|content\.(?:(?:create|update|delete)Items?|createShare)|sends\.|schedules\.|messages\.|emails\.|suppressions\.|consent\.|contacts\.|storage\.)/;
  const unnamed = changing
    .filter(({ name }) => !described.test(name))
    .flatMap(({ name, fields }) =>
      fields
        .filter((field) => !unchanged.test(field) && !known.has(field))
        .map((field) => `${name}: ${field}`),
    );
  assert.deepEqual(unnamed, []);
});

test('every filter of an export has words in the audit log', () => {
  const filters = Object.keys({ ...auditFilters, ...recipientFilter, ...suppressionFilters, period: true });
  assert.deepEqual(
    filters.filter((filter) => !Object.hasOwn(settings.audit.fields, filter)),
    [],
  );
});

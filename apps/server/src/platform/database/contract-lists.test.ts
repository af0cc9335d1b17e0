import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { roles } from '@reachout/contract/abilities.ts';
import { fieldTypes } from '@reachout/contract/content.ts';
import { invitationStatuses } from '@reachout/contract/members.ts';
import * as statuses from '@reachout/contract/statuses.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { connect } from './database.ts';

/** Lists that are written once in SQL and once in packages/contract/src/statuses.ts. */
const listOf: Record<string, readonly string[]> = {
  'users.status': statuses.userStatuses,
  'organizations.status': statuses.organizationStatuses,
  'campaigns.status': statuses.campaignStatuses,
  'touchpoints.type': statuses.touchpointTypes,
  'touchpoints.status': statuses.touchpointStatuses,
  'touchpoint_sends.status': statuses.sendStatuses,
  'touchpoint_sends.uncertain_policy': statuses.uncertainPolicies,
  'content_fields.type': fieldTypes,
  'content_imports.status': statuses.importStatuses,
  'suppressions.reason': statuses.suppressionReasons,
  'events.type': statuses.eventTypes,
  'organization_invitations.status': invitationStatuses,
  // Names that an organization's own role cannot take.
  'organization_roles.role': roles,
};

/** Lists of the database alone: no operation shows them, or only as part of another. */
const ownLists = [
  'delivery_results.state',
  'delivery_retries.kind',
  'one_time_tokens.purpose',
  'organization_invitations.language',
  'system_mails.language',
];

test('lists of statuses are the same in the database and in the contract', async () => {
  const database = await createTestDatabase();
  const owner = connect(database.ownerUrl, {
    connections: 1,
    statementTimeoutMs: 10_000,
    name: 'tests',
    onError: () => {},
  });
  try {
    const { rows } = await sql<{ column: string; definition: string }>`
      select c.conrelid::regclass || '.' || a.attname as column, pg_get_constraintdef(c.oid) as definition
      from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'c' and c.connamespace = 'public'::regnamespace and cardinality(c.conkey) = 1
        and pg_get_constraintdef(c.oid) like '%ARRAY[%'
    `.execute(owner);
    const inDatabase = Object.fromEntries(
      rows.map(({ column, definition }) => [
        column,
        [...(/ARRAY\[(.*?)\]/.exec(definition)?.[1] ?? '').matchAll(/'([^']*)'::text/g)].map(
          (match) => match[1] ?? '',
        ),
      ]),
    );
    assert.deepEqual(Object.keys(inDatabase).sort(), [...Object.keys(listOf), ...ownLists].sort());
    for (const [column, list] of Object.entries(listOf)) assert.deepEqual(inDatabase[column], list, column);
    const results = inDatabase['delivery_results.state'] ?? [];
    assert.deepEqual(
      results.filter((state) => !(statuses.deliveryStates as readonly string[]).includes(state)),
      [],
    );
  } finally {
    await owner.destroy();
    await database.drop();
  }
});

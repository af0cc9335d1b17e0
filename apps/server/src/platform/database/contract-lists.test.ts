import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { roles } from '@reachout/contract/abilities.ts';
import { fieldTypes } from '@reachout/contract/content.ts';
import { invitationStatuses } from '@reachout/contract/members.ts';
import { campaignStatuses } from '@reachout/contract/states/campaign.ts';
import { importStatuses, workingImportStatuses } from '@reachout/contract/states/import.ts';
import { openSendStatuses, sendStatuses, workingSendStatuses } from '@reachout/contract/states/send.ts';
import { touchpointStatuses, touchpointTypes } from '@reachout/contract/states/touchpoint.ts';
import * as statuses from '@reachout/contract/statuses.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { connect } from './database.ts';

/** Lists that are written once in SQL and once in the contract. */
const listOf: Record<string, readonly string[]> = {
  'users.status': statuses.userStatuses,
  'organizations.status': statuses.organizationStatuses,
  'campaigns.status': campaignStatuses,
  'touchpoints.type': touchpointTypes,
  'touchpoints.status': touchpointStatuses,
  'touchpoint_sends.status': sendStatuses,
  'touchpoint_sends.uncertain_policy': statuses.uncertainPolicies,
  'content_fields.type': fieldTypes,
  'content_imports.status': importStatuses,
  'suppressions.reason': statuses.suppressionReasons,
  'events.type': statuses.eventTypes,
  'organization_invitations.status': invitationStatuses,
  // Names that an organization's custom role cannot take.
  'organization_roles.role': roles,
};

/** Lists of the database alone: no operation shows them, or only as part of another. */
const ownLists = [
  'delivery_results.state',
  'delivery_retries.kind',
  'one_time_tokens.purpose',
  'organization_invitations.language',
  'account_email_outbox.language',
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

/**
 * What functions, partial indexes and views decide by the status of a campaign, touchpoint, send or import, in the order
 * in which they ask; the states of the contract say the same. Whatever asks for one is listed here.
 */
const decisions: Record<string, readonly (readonly string[])[]> = {
  'index touchpoint_sends_open': [workingSendStatuses, ['cancelled']],
  'index touchpoint_sends_one_open': [openSendStatuses],
  'index content_imports_open': [workingImportStatuses],
  'function due_sends': [['active'], workingSendStatuses, ['cancelled']],
  'function due_imports': [['active'], ...workingImportStatuses.map((status) => [status])],
};

test('functions, indexes and views decide by the statuses of the contract', async () => {
  const database = await createTestDatabase();
  const owner = connect(database.ownerUrl, {
    connections: 1,
    statementTimeoutMs: 10_000,
    name: 'tests',
    onError: () => {},
  });
  try {
    const { rows } = await sql<{ name: string; definition: string }>`
      select 'index ' || indexrelid::regclass as name, pg_get_expr(indpred, indrelid) as definition
      from pg_index where indpred is not null and indrelid::regclass::text not like 'pg_%'
      union all
      select 'function ' || proname, pg_get_functiondef(oid)
      from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f'
      union all
      select 'view ' || oid::regclass, pg_get_viewdef(oid)
      from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v'
    `.execute(owner);
    const asked = rows
      .map(({ name, definition }) => ({ name, definition, lists: listAsked(definition) }))
      .filter(({ lists }) => lists.length > 0);
    const isOfStates = ({ name, definition }: (typeof asked)[number]) =>
      /touchpoint|campaign|send|import/.test(name + definition);
    assert.deepEqual(
      Object.fromEntries(asked.filter(isOfStates).map(({ name, lists }) => [name, lists])),
      decisions,
    );
    const others = new Set(asked.filter((one) => !isOfStates(one)).flatMap(({ lists }) => lists.flat()));
    const known: readonly string[] = [...statuses.organizationStatuses, ...invitationStatuses];
    assert.deepEqual(
      [...others].filter((status) => !known.includes(status)),
      [],
    );
  } finally {
    await owner.destroy();
    await database.drop();
  }
});

/** The literals in `status = '…'`, `status <> '…'`, `status in (…)` and `status = any (array[…])`. */
const listAsked = (definition: string): string[][] =>
  [
    ...definition.matchAll(
      /\bstatus\)? *(?:=|<>|!=|(?:not )?in) *((?:ANY )?[(]*(?:ARRAY\[)?(?:'[a-z_]+'(?:::text)?(?:, )?)+)/gi,
    ),
  ].map(([, list = '']) => [...list.matchAll(/'([a-z_]+)'/g)].map(([, status = '']) => status));

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { roles } from '@reachout/contract/abilities.ts';
import { fieldInterfaces, fieldTypes } from '@reachout/contract/content-fields.ts';
import { rejectionKinds } from '@reachout/contract/content-imports.ts';
import { invitationStatuses } from '@reachout/contract/invitations.ts';
import { brandColors } from '@reachout/contract/rules/brand-colors.ts';
import { domainVerdicts } from '@reachout/contract/rules/domain-advice.ts';
import { choiceKinds, choiceValues } from '@reachout/contract/rules/choices.ts';
import * as graph from '@reachout/contract/rules/event-graph.ts';
import { languages } from '@reachout/contract/rules/languages.ts';
import { campaignStatuses } from '@reachout/contract/states/campaign.ts';
import { dataRequestKinds, dataRequestStates } from '@reachout/contract/states/data-request.ts';
import { domainCheckKinds, domainCheckStates, domainStatuses } from '@reachout/contract/states/domain.ts';
import { importStatuses } from '@reachout/contract/states/import.ts';
import { jobStates } from '@reachout/contract/states/job.ts';
import {
  openSendStatuses,
  sendKinds,
  comingSendStatuses,
  sendStatuses,
  workingSendStatuses,
} from '@reachout/contract/states/send.ts';
import { signUpContactStates } from '@reachout/contract/states/sign-up.ts';
import { dropReasons } from '@reachout/contract/states/website.ts';
import { touchpointStatuses, touchpointTypes } from '@reachout/contract/states/touchpoint.ts';
import { transportKinds } from '@reachout/contract/rules/transports.ts';
import { directusStates } from '@reachout/contract/content-backend.ts';
import { copyStates, mirroredCollections } from '@reachout/contract/rules/mirrored-collections.ts';
import { contentBuckets } from '@reachout/contract/rules/storage.ts';
import * as statuses from '@reachout/contract/statuses.ts';
import { newId } from '../ids.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { connect, type Database } from './database.ts';

/** Lists that are defined both in SQL and in the contract. */
const listOf: Record<string, readonly string[]> = {
  'users.status': statuses.userStatuses,
  'organizations.status': statuses.organizationStatuses,
  'organizations.uncertain_policy': statuses.uncertainPolicies,
  'brands.color': brandColors,
  'brands.tracking_policy': statuses.trackingPolicies,
  'campaigns.status': campaignStatuses,
  'touchpoints.type': touchpointTypes,
  'touchpoints.status': touchpointStatuses,
  'touchpoint_sends.kind': sendKinds,
  'touchpoint_sends.status': sendStatuses,
  'touchpoint_sends.uncertain_policy': statuses.uncertainPolicies,
  'content_fields.type': fieldTypes,
  'content_fields.interface': fieldInterfaces,
  'content_files.bucket': contentBuckets,
  'content_imports.status': importStatuses,
  'content_import_rejections.kind': rejectionKinds,
  'content_outbox.collection': mirroredCollections,
  'content_outbox.state': copyStates,
  // Without a Directus, a row has a key of Elastic Email alone.
  'organization_directus.state': ['none', ...directusStates],
  'transports.settings': transportKinds,
  'jobs.state': jobStates,
  'complaint_limits.action': ['warn', 'pause'],
  'choices.kind': Object.keys(choiceKinds),
  'choices.value': choiceValues,
  'choices.source': statuses.choiceSources,
  'suppression_lifts.reason': statuses.liftableReasons,
  'resubscriptions.reason': statuses.suppressionReasons,
  'data_requests.kind': dataRequestKinds,
  'data_requests.state': dataRequestStates,
  'sign_up_form_versions.language': languages,
  'sign_ups.contact_state': signUpContactStates,
  'touchpoint_event_actions.name': graph.reactionActions,
  'touchpoint_event_actions.notifier_touchpoint_type': touchpointTypes,
  'touchpoint_event_actions.listener_touchpoint_type': touchpointTypes,
  'touchpoint_event_types.touchpoint_type': touchpointTypes,
  'touchpoint_events.event_type': graph.causeTypes,
  'reactions.action': graph.reactionActions,
  'reactions.state': graph.reactionStates,
  'reactions.reason': graph.reactionReasons,
  'delivery_exclusions.reason': statuses.exclusionReasons,
  'events.type': statuses.eventTypes,
  'events.moved_by': statuses.moveRules,
  'organization_invitations.status': invitationStatuses,
  'website_drops.reason': dropReasons,
  'contents.locale': languages,
  'faq_categories.language': languages,
  'faqs.language': languages,
  'sending_domains.status': domainStatuses,
  'sending_domain_checks.kind': domainCheckKinds,
  'sending_domain_checks.state': domainCheckStates,
  'sending_domain_checks.verdict': domainVerdicts,
  // Names that an organization's custom role cannot take.
  'organization_roles.role': roles,
};

/** Lists that exist only in the database: no operation returns them, or only as part of another. */
const ownLists = [
  // The types of fields that can be keys.
  'directus_collections.key_type',
  'audience_readings.state',
  'delivery_results.class',
  'delivery_results.stage',
  'delivery_results.state',
  'delivery_queue.kind',
  // Compared in email/recipient-groups.
  'delivery_chunks.lane',
  'delivery_queue.lane',
  'recipient_domains.recipient_group',
  'one_time_tokens.purpose',
  'organization_invitations.language',
  'account_email_outbox.language',
  'data_requests.language',
  'dkim_keys.selector',
  // A part of the types of events.
  'unfolded_visitor_events.type',
  'visitor_value_months.dimension',
];

test('database and contract list the same statuses', () =>
  withOwner(async (owner) => {
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
  }));

/**
 * The statuses that functions, partial indexes, views, policies, triggers, rules and multi-column checks compare with the
 * status of a campaign, touchpoint, send or import, in order of the comparisons; they match the states of the contract.
 * Every object with such a comparison is listed here.
 */
const decisions: Record<string, readonly (readonly string[])[]> = {
  'index touchpoint_sends_one_open': [openSendStatuses],
  'index touchpoint_sends_one_follow_up': [['failed'], ['cancelled']],
  'index touchpoint_sends_open': [openSendStatuses],
  'function due_sends': [
    workingSendStatuses,
    ['cancelled'],
    workingSendStatuses,
    ['cancelled'],
    ['queued', 'preparing'],
    ['cancelled'],
    ['active'],
    ['active'],
  ],
  'function due_sending_domains': [['active']],
  'function due_dates': [['active']],
  'function due_reactions': [['active'], ['sending']],
  'function is_bounce_host': [['pending']],
  'function is_domain_taken': [['pending']],
  'function website_by_id': [['active']],
  'function tracking_hosts': [['pending'], ['pending']],
  'index sending_domains_verified_once': [['pending']],
  'function stuck_sends': [['queued', 'preparing', 'cancelled'], ['sending']],
  // Before its audience is known, a send counts with the confirmed number; an open one counts regardless of its age.
  'function recipients_in_organization': [
    ['failed'],
    ['cancelled'],
    ['queued', 'held', 'preparing'],
    comingSendStatuses,
    openSendStatuses,
  ],
  'index touchpoint_sends_one_occurrence': [['failed'], ['cancelled']],
  'view coming_sends': [comingSendStatuses],
  'view topic_sends': [openSendStatuses],
  'view touchpoint_collection_items': [
    comingSendStatuses,
    comingSendStatuses,
    ['preparing', 'sending', 'paused'],
    ['completed'],
    ['cancelled'],
  ],
};

test('database objects use only statuses of the contract', () =>
  withOwner(async (owner) => {
    const asked = await listDecisions(owner);
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
  }));

test('every status comparison in the database is parsed', () =>
  withOwner(async (owner) => {
    const before = await listDecisions(owner);
    for (const statement of [
      `create index added on campaigns ((status = 'draft'))`,
      `create procedure added() language sql begin atomic update clients set name = '' where exists (select from campaigns where 'draft' = status); end`,
      `create materialized view added_rows as select case status when 'draft' then 1 else 2 end as place from campaigns`,
      `create policy added on campaigns for select using (status is distinct from 'draft')`,
      `create function added_trigger() returns trigger language plpgsql as 'begin return new; end'`,
      `create trigger added before update on campaigns for each row when (new.status = 'draft') execute function added_trigger()`,
      `create rule added as on delete to campaigns where old.status = 'draft' do instead nothing`,
      `alter table campaigns add constraint added check (status = any ('{draft,paused}'::text[]) or deleted) not valid`,
    ])
      await sql.raw(statement).execute(owner);
    const names = new Set(before.map(({ name }) => name));
    const added = (await listDecisions(owner)).filter(({ name }) => !names.has(name));
    assert.deepEqual(Object.fromEntries(added.map(({ name, lists }) => [name, lists])), {
      'index added': [['draft']],
      'function added': [['draft']],
      'view added_rows': [['draft']],
      'policy added on campaigns': [['draft']],
      'trigger added on campaigns': [['draft']],
      'rule added on campaigns': [['draft']],
      'check added on campaigns': [['draft', 'paused']],
    });
  }));

async function withOwner(work: (owner: Database) => Promise<void>): Promise<void> {
  const database = await createTestDatabase();
  const owner = connect(database.ownerUrl, {
    connections: 1,
    statementTimeoutMs: 10_000,
    name: 'tests',
    onError: () => {},
  });
  try {
    await work(owner);
  } finally {
    await owner.destroy();
    await database.drop();
  }
}

async function listDecisions(owner: Database) {
  const { rows } = await sql<{ name: string; definition: string }>`
    select 'index ' || i.indexrelid::regclass as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indrelid and c.relnamespace = 'public'::regnamespace
    union all
    select 'function ' || proname, pg_get_functiondef(oid)
    from pg_proc where pronamespace = 'public'::regnamespace and prokind in ('f', 'p')
    union all
    select 'view ' || oid::regclass, pg_get_viewdef(oid)
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
    union all
    select 'policy ' || policyname || ' on ' || tablename, concat_ws(' ', qual, with_check)
    from pg_policies where schemaname = 'public'
    union all
    select 'trigger ' || tgname || ' on ' || tgrelid::regclass, pg_get_triggerdef(oid)
    from pg_trigger where not tgisinternal
    union all
    select 'rule ' || rulename || ' on ' || tablename, definition
    from pg_rules where schemaname = 'public'
    union all
    select 'check ' || conname || ' on ' || conrelid::regclass, pg_get_constraintdef(oid)
    from pg_constraint
    where contype = 'c' and connamespace = 'public'::regnamespace
      and (cardinality(conkey) > 1 or pg_get_constraintdef(oid) not like '%ARRAY[%')
  `.execute(owner);
  return rows
    .map(({ name, definition }) => ({ name, definition, lists: listAsked(definition) }))
    .filter(({ lists }) => lists.length > 0);
}

const apps = join(import.meta.dirname, '../../../..');

test('source code takes statuses from the contract', () => {
  const known: readonly string[] = [
    ...Object.values(listOf).flat(),
    // Statuses of values, promises, queries, navigation and sign-in, not of rows.
    'number',
    'fulfilled',
    'rejected',
    'error',
    'success',
    'blocked',
    'signed_in',
    'second_factor_needed',
  ];
  const files = globSync('{server,web}/src/**/*.{ts,tsx}', {
    cwd: apps,
    exclude: ['**/*.test.*', '**/testing/**', '**/*.gen.ts'],
  });
  const wrong = files.toSorted().flatMap((file) =>
    listAsked(readFileSync(join(apps, file), 'utf8'))
      .filter((list) => list.length > 1 || list.some((status) => !known.includes(status)))
      .map((list) => `${file}: ${list.join()}`),
  );
  assert.deepEqual(wrong, []);
});

test('every kind of status comparison is recognized', () => {
  for (const [text, lists] of [
    ["s.status = 'queued' or status <> 'paused'", [['queued'], ['paused']]],
    ["(status)::text != 'queued'::text", [['queued']]],
    ["status in ('queued', 'paused') and status not in ('sending')", [['queued', 'paused'], ['sending']]],
    ["(status = ANY (ARRAY['queued'::text, 'paused'::text]))", [['queued', 'paused']]],
    ["status = any ('{queued,paused}'::text[])", [['queued', 'paused']]],
    ["status is distinct from 'queued'", [['queued']]],
    ["new.status is not distinct from 'queued'", [['queued']]],
    ["'queued' = s.status and 'paused'::text <> (status)::text", [['queued'], ['paused']]],
    ["case status when 'queued' then 1 when 'paused' then 2 else 3 end", [['queued', 'paused']]],
    ["case (s.status) when 'queued', 'paused' then 'waiting' end", [['queued', 'paused']]],
    [".where('status', 'not in', ['queued', 'paused'])", [['queued', 'paused']]],
    ["eb('s.status', '=', 'queued')", [['queued']]],
    ["send.status !== 'queued'", [['queued']]],
    ["['queued', 'paused'].includes(send.status)", [['queued', 'paused']]],
    ["status = error_content and kind = 'deferred' and 'x' = name", []],
  ] as const)
    assert.deepEqual(listAsked(text), lists, text);
});

const literals = String.raw`'\{?[a-z_]+[a-z_,]*\}?'(?:::text(?:\[\])?)?`;
const literalList = String.raw`(?:any|all)?\s*[([]*(?:array\[)?\s*(?:${literals}[,\s]*)+`;
const statusColumn = String.raw`(?<!')\b(?:\w+\.)*status\b\)*(?:::text)?\)*`;
const comparison = String.raw`(?:===?|!==?|<>|=|(?:not\s+)?in\b|is\s+(?:not\s+)?distinct\s+from)`;
const questions = new RegExp(
  [
    String.raw`${statusColumn}\s*${comparison}\s*(${literalList})`,
    String.raw`(${literals})\s*${comparison}\s*\(*${statusColumn}`,
    String.raw`\bcase\s+\(*${statusColumn}(\s+when\b[\s\S]*?)\bend\b`,
    // The query builder.
    String.raw`'(?:\w+\.)?status',\s*'${comparison}',\s*(${literalList})`,
    String.raw`\[((?:${literals}[,\s]*)+)\]\.includes\((?:\w+\.)*status\b`,
  ].join('|'),
  'gi',
);

/** @returns the literals that a status is compared with: one list per comparison in a statement, function or file */
const listAsked = (text: string): string[][] =>
  [...text.matchAll(questions)].map(([, ...found]) =>
    [
      ...(found.find((one) => one !== undefined) ?? '')
        .replaceAll(/\bthen\b.*?(?=\bwhen\b|$)/gis, '')
        .matchAll(/'\{?([a-z_,]+)\}?'/g),
    ].flatMap(([, names = '']) => names.split(',')),
  );

test('the state that a choice causes is that of the contract', () =>
  withOwner(async (owner) => {
    const [brand, topic] = [newId(), newId()];
    for (const [kind, values] of Object.entries(choiceKinds))
      for (const [value, { state }] of Object.entries(values)) {
        const of = kind === 'topic' ? topic : null;
        const { rows } = await sql<{ here: string | null; elsewhere: string | null; ended: string | null }>`
          select subscription_state(${value}, ${brand}::uuid, ${of}::uuid, 'infinity', ${brand}::uuid, ${topic}::uuid) as here,
            subscription_state(${value}, ${brand}::uuid, ${of}::uuid, 'infinity', ${newId()}::uuid, ${newId()}::uuid) as elsewhere,
            subscription_state(${value}, ${brand}::uuid, ${of}::uuid, now(), ${brand}::uuid, ${topic}::uuid) as ended
        `.execute(owner);
        assert.deepEqual(
          rows[0],
          { here: state, elsewhere: null, ended: kind === 'pause' ? null : state },
          value,
        );
      }
  }));

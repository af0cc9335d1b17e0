import { Ability as CaslAbility, subject as typed, type RawRuleOf } from '@casl/ability';
import { isWithin, uniteAccessScopes, type AccessScope } from './access-scope.ts';

export const actions = ['create', 'read', 'update', 'delete', 'send', 'manage'] as const;
export type Action = (typeof actions)[number];

/** `all` is CASL's word for every subject. */
export const subjects = [
  'Organization',
  'Member',
  'Invitation',
  'Client',
  'Brand',
  'Campaign',
  'Touchpoint',
  'Template',
  'Content',
  'Consent',
  'Filter',
  'Domain',
  'Statistics',
  'Billing',
  'ApiKey',
  'AuditLog',
  'all',
] as const;
export type Subject = (typeof subjects)[number];

type Conditions = Record<string, unknown>;
export type Ability = CaslAbility<[Action, Subject], Conditions>;
export type AbilityRule = RawRuleOf<Ability>;

/** The built-in roles of every organization; custom roles are added to them. */
export const roles = ['owner', 'admin', 'editor', 'analyst', 'guest'] as const;
export type Role = (typeof roles)[number];

/** The fallback for an unknown role: read-only access to everything. */
export const readOnlyRules: AbilityRule[] = [{ action: 'read', subject: 'all' }];

/**
 * Subjects that belong to a client and can therefore be limited to named clients or brands. A condition on any other subject
 * never holds.
 */
export const clientSubjects = [
  'Client',
  'Brand',
  'Campaign',
  'Touchpoint',
  'Template',
  'Content',
  'Consent',
  'Filter',
  'Domain',
  'Statistics',
] as const satisfies readonly Subject[];

const editorSubjects: Subject[] = [
  'Client',
  'Brand',
  'Campaign',
  'Touchpoint',
  'Template',
  'Content',
  // `create` imports suppressions, `delete` lifts them together, `update` changes those of one contact.
  'Consent',
  'Filter',
];

/** The rules of the built-in roles. Placeholders are filled by `fillRules`. */
export const builtInRules: Record<Role, AbilityRule[]> = {
  owner: [{ action: 'manage', subject: 'all' }],
  admin: [
    { action: 'manage', subject: 'all' },
    { action: 'delete', subject: 'Organization', inverted: true },
  ],
  editor: [
    ...readOnlyRules,
    { action: ['create', 'update', 'delete'], subject: editorSubjects },
    { action: 'send', subject: 'Touchpoint' },
  ],
  analyst: readOnlyRules,
  guest: [
    { action: 'read', subject: 'Organization' },
    {
      action: 'read',
      // Consent records contain who entered them and internal notes.
      subject: clientSubjects.filter((subject) => subject !== 'Consent'),
      conditions: { client_id: { $in: '${client_ids}' } },
    },
  ],
};

export const isBuiltInRole = (role: string): role is Role => (roles as readonly string[]).includes(role);

/** The values that the placeholders in rules refer to. */
export interface RuleContext {
  organization_id: string;
  /** The clients that the member is limited to. */
  client_ids: readonly string[];
}

/** The role's rules: the built-in ones, the organization's own, or read-only when neither is known. */
export const rulesFor = (role: string, custom?: AbilityRule[] | null): AbilityRule[] =>
  isBuiltInRole(role) ? builtInRules[role] : (custom ?? readOnlyRules);

/** Puts the current organization and the member's clients in place of `${organization_id}` and `${client_ids}`. */
export const fillRules = (rules: readonly AbilityRule[], context: RuleContext): AbilityRule[] =>
  rules.map((rule) =>
    rule.conditions === undefined || rule.conditions === null
      ? rule
      : { ...rule, conditions: fill(rule.conditions, context) as never },
  );

function fill(value: unknown, context: RuleContext): unknown {
  if (value === '${organization_id}') return context.organization_id;
  if (value === '${client_ids}') return context.client_ids;
  if (Array.isArray(value)) return value.map((entry) => fill(entry, context));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, fill(entry, context)]));
}

/** Placeholder in rules for the clients that a member is limited to. */
export const memberClients = '${client_ids}';

/** Whether these rules contain `memberClients`, so that clients must be named for each member who has them. */
export const usesMemberClients = (rules: readonly { conditions?: unknown }[]): boolean =>
  rules.some(({ conditions }) => JSON.stringify(conditions ?? null).includes(memberClients));

/** Whether a rule is limited to clients or brands and names none. */
const isForNobody = ({ conditions }: AbilityRule): boolean =>
  Object.values(conditions ?? {}).some((condition) => readIds(condition)?.length === 0);

/** Whether a member is limited to clients and has none, so that no record of a client is accessible. */
export const lacksClients = (filledRules: readonly AbilityRule[]): boolean =>
  filledRules.some(isForNobody) &&
  clientSubjects.every((subject) => !abilityOf([...filledRules]).can('read', subject));

/** The ability that the screens check, to hide and disable by the same rules that the server enforces. */
export const abilityOf = (filledRules: AbilityRule[]): Ability =>
  new CaslAbility<[Action, Subject], Conditions>(
    // CASL only evaluates a rule's conditions against a record. On the server such a rule grants nothing.
    filledRules.filter((rule) => rule.inverted === true || !isForNobody(rule)),
    { conditionsMatcher },
  );

/**
 * Supports the same conditions as `accessScopeOf`; a condition that cannot be translated to SQL matches no record. CASL's
 * own matcher supports all of MongoDB's and is as large as the rest of CASL.
 */
const conditionsMatcher = (conditions: Conditions) => {
  const wanted = Object.entries(conditions).map(([field, condition]) => ({ field, ids: readIds(condition) }));
  return (record: object): boolean =>
    wanted.every(({ field, ids }) => ids?.includes(Reflect.get(record, field) as string) ?? false);
};

/** The record fields that rule conditions refer to. */
export interface RecordAttributes {
  client_id?: string;
  brand_id?: string;
}

/** Whether the action is allowed on this record; without a record, whether it is allowed on at least one. */
export const allows = (
  ability: Ability,
  action: Action,
  subject: Subject,
  record?: RecordAttributes,
): boolean => ability.can(action, record === undefined ? subject : (typed(subject, { ...record }) as never));

/**
 * @returns the scope of the records that these rules allow the action on. Later rules override earlier ones. Rules that
 * cannot be translated to conditions deny: unknown fields and operators, and inverted rules with conditions.
 * @param rules  filled by `fillRules`
 * @param organizationId  the current organization
 */
export function accessScopeOf(
  rules: readonly AbilityRule[],
  action: Action,
  subject: Subject,
  organizationId: string,
): AccessScope {
  let accessScope: AccessScope = 'nothing';
  for (const rule of rules) {
    if (!includes(rule.action, action, 'manage') || !includes(rule.subject, subject, 'all')) continue;
    if (rule.inverted === true) accessScope = 'nothing';
    else
      accessScope = uniteAccessScopes(accessScope, readConditions(rule.conditions, subject, organizationId));
  }
  return accessScope;
}

const includes = (granted: unknown, wanted: string, every: string): boolean =>
  [granted].flat().some((entry) => entry === wanted || entry === every);

function readConditions(conditions: unknown, subject: Subject, organizationId: string): AccessScope {
  if (conditions === undefined || conditions === null) return 'all';
  if (typeof conditions !== 'object' || Array.isArray(conditions)) return 'nothing';
  const { organization_id, ...rest } = conditions as Record<string, unknown>;
  if (organization_id !== undefined && !readIds(organization_id)?.includes(organizationId)) return 'nothing';
  const fields = Object.keys(rest);
  if (fields.length === 0) return 'all';
  const isClientSubject = (clientSubjects as readonly string[]).includes(subject);
  const [field = ''] = fields;
  if (!isClientSubject || fields.length > 1) return 'nothing';
  const ids = readIds(rest[field]);
  if (ids === undefined || ids.length === 0) return 'nothing';
  if (field === 'client_id') return { client_ids: ids, brand_ids: [] };
  if (field === 'brand_id') return { client_ids: [], brand_ids: ids };
  return 'nothing';
}

/** The ids of `x`, `{ $eq: x }` or `{ $in: [x, …] }`; undefined for anything else. */
function readIds(condition: unknown): string[] | undefined {
  if (typeof condition === 'string') return [condition];
  if (typeof condition !== 'object' || condition === null) return undefined;
  const entries = Object.entries(condition);
  const [operator, value] = entries[0] ?? [];
  if (entries.length !== 1) return undefined;
  if (operator === '$eq' && typeof value === 'string') return [value];
  if (operator === '$in' && Array.isArray(value) && value.every((entry) => typeof entry === 'string'))
    return value;
  return undefined;
}

/**
 * No member can grant more than they hold: returns true if the granted rules stay within the grantor's. A scope limited to
 * clients is within one that names all of them, or the whole organization.
 * @param grantor  filled by `fillRules`
 * @param granted  filled for any holder; a placeholder that is left may later stand for anything
 */
export function canGrant(
  grantor: readonly AbilityRule[],
  granted: readonly AbilityRule[],
  organizationId: string,
): boolean {
  const widest = granted.map((rule) =>
    rule.inverted !== true && hasPlaceholder(rule.conditions) ? { ...rule, conditions: undefined } : rule,
  ) as AbilityRule[];
  return actions.every((action) =>
    subjects.every((subject) =>
      isWithin(
        accessScopeOf(widest, action, subject, organizationId),
        accessScopeOf(grantor, action, subject, organizationId),
      ),
    ),
  );
}

const hasPlaceholder = (conditions: unknown): boolean =>
  /\$\{(organization_id|client_ids)\}/.test(JSON.stringify(conditions ?? null));

/** The permissions of an API key by scope, as users choose them; a key never exceeds its creator's permissions. */
export const apiKeyScopes = {
  'clients:read': [{ action: 'read', subject: ['Organization', 'Client', 'Brand'] }],
  'clients:write': [{ action: ['create', 'update', 'delete'], subject: ['Client', 'Brand'] }],
  'campaigns:read': [{ action: 'read', subject: ['Campaign', 'Touchpoint', 'Template', 'Filter', 'Domain'] }],
  'campaigns:write': [
    { action: ['create', 'update', 'delete'], subject: ['Campaign', 'Touchpoint', 'Template', 'Filter'] },
  ],
  'campaigns:send': [{ action: 'send', subject: 'Touchpoint' }],
  'content:read': [{ action: 'read', subject: ['Content', 'Consent'] }],
  'content:write': [{ action: ['create', 'update', 'delete'], subject: 'Content' }],
  // Not `update`: that takes back what a contact has decided, on the word of a person.
  'consent:write': [{ action: ['create', 'delete'], subject: 'Consent' }],
  'statistics:read': [{ action: 'read', subject: 'Statistics' }],
} as const satisfies Record<string, readonly AbilityRule[]>;
export type ApiKeyScope = keyof typeof apiKeyScopes;
export const apiKeyScopeNames = Object.keys(apiKeyScopes) as ApiKeyScope[];

/**
 * The scope of content tokens, which members make for themselves: reading the items that they created, in the content API alone.
 * It has no rules here, so that operations refuse such tokens.
 */
export const ownContentScope = 'content:own';

export const isApiKeyScope = (scope: string): scope is ApiKeyScope => Object.hasOwn(apiKeyScopes, scope);

export const rulesOfScopes = (scopes: readonly string[]): AbilityRule[] =>
  scopes.filter(isApiKeyScope).flatMap((scope) => apiKeyScopes[scope] as readonly AbilityRule[]);

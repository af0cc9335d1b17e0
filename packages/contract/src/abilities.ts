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

/** The roles that every organization has; its own ones come on top. */
export const roles = ['owner', 'admin', 'editor', 'analyst', 'guest'] as const;
export type Role = (typeof roles)[number];

/** When no rule is known for a role the default is read-only on everything. */
export const readOnlyRules: AbilityRule[] = [{ action: 'read', subject: 'all' }];

/**
 * What belongs to a client, and can therefore be limited to named clients or brands. A condition on anything else
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
  'Statistics',
] as const satisfies readonly Subject[];

const editorSubjects: Subject[] = [
  'Client',
  'Brand',
  'Campaign',
  'Touchpoint',
  'Template',
  'Content',
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
    { action: 'update', subject: 'Consent' },
  ],
  analyst: readOnlyRules,
  guest: [
    { action: 'read', subject: 'Organization' },
    {
      action: 'read',
      // Consent tells who entered it, with notes of the office.
      subject: clientSubjects.filter((subject) => subject !== 'Consent'),
      conditions: { client_id: { $in: '${client_ids}' } },
    },
  ],
};

export const isBuiltInRole = (role: string): role is Role => (roles as readonly string[]).includes(role);

/** What rules may refer to. */
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

/** Stands in rules for the clients that a member is limited to. */
export const memberClients = '${client_ids}';

/** Whether members with these rules need clients named for them. */
export const usesMemberClients = (rules: readonly { conditions?: unknown }[]): boolean =>
  rules.some(({ conditions }) => JSON.stringify(conditions ?? null).includes(memberClients));

/** Whether a rule is limited to clients or brands, and none are named. */
const isForNobody = ({ conditions }: AbilityRule): boolean =>
  Object.values(conditions ?? {}).some((condition) => readIds(condition)?.length === 0);

/** Whether a member is limited to clients and has none: of all that belongs to clients, nothing is there. */
export const lacksClients = (filledRules: readonly AbilityRule[]): boolean =>
  filledRules.some(isForNobody) &&
  clientSubjects.every((subject) => !abilityOf([...filledRules]).can('read', subject));

/** What the screens ask: hides and disables by the same rules that the server decides by. */
export const abilityOf = (filledRules: AbilityRule[]): Ability =>
  new CaslAbility<[Action, Subject], Conditions>(
    // CASL asks a rule's conditions only about a record. On the server such a rule gives nothing.
    filledRules.filter((rule) => rule.inverted === true || !isForNobody(rule)),
    { conditionsMatcher },
  );

/**
 * Knows the conditions that `accessScopeOf` knows; what cannot be turned into a statement holds for no record. CASL's own
 * matcher knows all of MongoDB's, which weighs as much as the rest of it.
 */
const conditionsMatcher = (conditions: Conditions) => {
  const wanted = Object.entries(conditions).map(([field, condition]) => ({ field, ids: readIds(condition) }));
  return (record: object): boolean =>
    wanted.every(({ field, ids }) => ids?.includes(Reflect.get(record, field) as string) ?? false);
};

/** What the conditions of rules look at. */
export interface RecordAttributes {
  client_id?: string;
  brand_id?: string;
}

/** Whether this may be done to this very record; without a record, whether to any at all. */
export const allows = (
  ability: Ability,
  action: Action,
  subject: Subject,
  record?: RecordAttributes,
): boolean => ability.can(action, record === undefined ? subject : (typed(subject, { ...record }) as never));

/**
 * How far these rules let somebody go. Rules apply in order, later ones over earlier ones. What cannot be turned into
 * conditions denies: unknown fields and operators, and exceptions that have conditions.
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
 * Nobody grants more than they hold: true when the rules to be given go nowhere beyond those of the grantor. A
 * access scope that is limited to clients is within one that names all of them, or the whole organization.
 * @param grantor  filled by `fillRules`
 * @param granted  filled for anyone who gets them; a placeholder that is still there may come to stand for anything
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

/** What an API key may do, in the words that people choose from; never more than the member who made it. */
export const apiKeyScopes = {
  'clients:read': [{ action: 'read', subject: ['Organization', 'Client', 'Brand'] }],
  'clients:write': [{ action: ['create', 'update', 'delete'], subject: ['Client', 'Brand'] }],
  'campaigns:read': [{ action: 'read', subject: ['Campaign', 'Touchpoint', 'Template', 'Filter'] }],
  'campaigns:write': [
    { action: ['create', 'update', 'delete'], subject: ['Campaign', 'Touchpoint', 'Template', 'Filter'] },
  ],
  'campaigns:send': [{ action: 'send', subject: 'Touchpoint' }],
  'content:read': [{ action: 'read', subject: ['Content', 'Consent'] }],
  'content:write': [{ action: ['create', 'update', 'delete'], subject: 'Content' }],
  'statistics:read': [{ action: 'read', subject: 'Statistics' }],
} as const satisfies Record<string, readonly AbilityRule[]>;
export type ApiKeyScope = keyof typeof apiKeyScopes;
export const apiKeyScopeNames = Object.keys(apiKeyScopes) as ApiKeyScope[];

export const isApiKeyScope = (scope: string): scope is ApiKeyScope => Object.hasOwn(apiKeyScopes, scope);

export const rulesOfScopes = (scopes: readonly string[]): AbilityRule[] =>
  scopes.filter(isApiKeyScope).flatMap((scope) => apiKeyScopes[scope] as readonly AbilityRule[]);

import { createMongoAbility, type MongoAbility, type RawRuleOf } from '@casl/ability';

export const actions = ['create', 'read', 'update', 'delete', 'send', 'manage'] as const;
export type Action = (typeof actions)[number];

/** product.md, "Roles and permissions". `all` is CASL's word for every subject. */
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
  'Filter',
  'Domain',
  'Statistics',
  'Billing',
  'ApiKey',
  'AuditLog',
  'all',
] as const;
export type Subject = (typeof subjects)[number];

export type Ability = MongoAbility<[Action, Subject]>;
export type AbilityRule = RawRuleOf<Ability>;

export const roles = ['owner', 'admin', 'editor', 'analyst'] as const;
export type Role = (typeof roles)[number];

/** When no rule is known for a role the default is read-only on everything (specification.md section 6). */
export const readOnlyRules: AbilityRule[] = [{ action: 'read', subject: 'all' }];

const editorSubjects: Subject[] = [
  'Client',
  'Brand',
  'Campaign',
  'Touchpoint',
  'Template',
  'Content',
  'Filter',
];

/** The rules of the built-in roles. */
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
};

const isRole = (role: string): role is Role => (roles as readonly string[]).includes(role);

/** The rules of a role; read-only for one that is not known. */
export const rulesFor = (role: string): AbilityRule[] => (isRole(role) ? builtInRules[role] : readOnlyRules);

/** What a member with this role may do. The server decides by it; the screens hide and disable by it. */
export const abilityFor = (role: string): Ability => createMongoAbility<Ability>(rulesFor(role));

import type { FieldMapping } from '@reachout/contract/filters.ts';
import { isPlatformCollection } from '../../content/backend/content-backend.ts';
import { InvalidRule } from '../../content/backend/invalid-rule.ts';
import { parseRule, type Relate, type RuleNode } from '../../content/backend/filter-rule.ts';
import type { RuleField } from '../../content/backend/rule-values.ts';
import type { AudienceField } from '../../content/gateway/contact-collection.queries.ts';

/**
 * Must be raised when the form of a parsed rule, or what it selects, changes. Not for fields of contacts that select nobody:
 * `restoreAudience` adds those that an earlier release did not know.
 */
export const audienceVersion = 3;

/** A field mapping whose omitted fields have been looked for. */
export type ContactFields = { [Name in keyof FieldMapping]-?: Exclude<FieldMapping[Name], undefined> };

/** The recipients before exclusions. Created only by `parseAudience`, so everything in it is validated. */
export interface Audience {
  /** Version of the stored form: a scheduled send may be prepared by another release, see `restoreAudience`. */
  version: number;
  /** The rule as entered. */
  source: unknown;
  /** Endpoint of the content backend with the contacts; null for the built-in backend. */
  endpoint: string | null;
  collection: string;
  rule: RuleNode;
  field_mapping: ContactFields;
  /** Brand whose suppressions apply in addition to those of the whole organization. */
  brandId: string | null;
  /** Topic of the email whose choices apply; null for an email without one, and for an audience alone. */
  topicId: string | null;
  /** Whether addresses are unique: guaranteed by the built-in backend, but not for contacts that are read in pages. */
  emailIsUnique: boolean;
}

/**
 * An audience as stored with a send. The first version supported only the built-in backend and has no `endpoint`; earlier
 * releases stored no time zone, language, consent to tracking and topic.
 */
export type StoredAudience = Omit<Audience, 'endpoint' | 'topicId' | 'field_mapping'> & {
  endpoint?: string | null;
  topicId?: string | null;
  field_mapping: FieldMapping;
};

export interface AudienceInput {
  endpoint?: string | null;
  collection: string;
  /** As received or stored: a stored filter may be older than a change of the fields. */
  rule: unknown;
  field_mapping: FieldMapping;
  brandId: string | null;
  topicId?: string | null;
}

/**
 * Validates a rule and a field mapping against the fields of the collection.
 * @param relate  the relations of a collection of a Directus
 * @throws InvalidRule its path starts with `collection`, `rule` or `field_mapping`
 */
export function parseAudience(
  input: AudienceInput,
  fields: readonly AudienceField[],
  relate?: Relate,
): Audience {
  // Otherwise users who can read only contacts would see templates and other platform items.
  if (isPlatformCollection(input.collection))
    throw new InvalidRule('collection', 'There is no such collection.');
  const { email, unsubscribed, ...optional } = input.field_mapping;
  const typeOf = (name: string) => fields.find((field) => field.name === name)?.type;
  const emailField = fields.find(({ name }) => name === email);
  if (emailField === undefined || !isText(emailField.type)) {
    throw new InvalidRule('field_mapping.email', `There is no text field ${email} in ${input.collection}.`);
  }
  if (unsubscribed !== null && typeOf(unsubscribed) !== 'boolean') {
    throw new InvalidRule(
      'field_mapping.unsubscribed',
      `There is no true/false field ${unsubscribed} in ${input.collection}.`,
    );
  }
  const find = (meaning: keyof typeof optional, kind: 'text' | 'true/false'): string | null => {
    const { [meaning]: name } = optional;
    const isSuch = (field: string) => (kind === 'text' ? isText(typeOf(field)) : typeOf(field) === 'boolean');
    if (name === undefined) return isSuch(meaning) ? meaning : null;
    if (name === null || isSuch(name)) return name;
    throw new InvalidRule(
      `field_mapping.${meaning}`,
      `There is no ${kind} field ${name} in ${input.collection}.`,
    );
  };
  const { endpoint = null, topicId = null } = input;
  return {
    ...input,
    version: audienceVersion,
    source: input.rule,
    endpoint,
    topicId,
    field_mapping: {
      email,
      unsubscribed,
      time_zone: find('time_zone', 'text'),
      language: find('language', 'text'),
      tracking_consent: find('tracking_consent', 'true/false'),
    },
    rule: parseRuleAt('rule', input.rule, fields, relate),
    emailIsUnique: endpoint === null && emailField.unique,
  };
}

const isText = (type: string | undefined): boolean => type === 'string' || type === 'text';

function parseRuleAt(
  prefix: string,
  rule: unknown,
  fields: readonly RuleField[],
  relate: Relate | undefined,
): RuleNode {
  try {
    return parseRule(rule, fields, { relate });
  } catch (error) {
    if (!(error instanceof InvalidRule)) throw error;
    throw new InvalidRule(error.path === '' ? prefix : `${prefix}.${error.path}`, error.reason, error);
  }
}

import type { FieldMapping } from '@reachout/contract/filters.ts';
import { isPlatformCollection } from '../backend/content-backend.ts';
import { InvalidRule } from '../backend/invalid-rule.ts';
import { parseRule, type RuleNode } from '../backend/filter-rule.ts';
import type { RuleField } from '../backend/rule-values.ts';

/** Raised whenever the form of a parsed rule changes, or what it selects. */
export const audienceVersion = 2;

/** The recipients before exclusions. Made by `parseAudience` only: everything in it is checked. */
export interface Audience {
  /** A scheduled send stores its audience, and may be prepared by another release: see `restoreAudience`. */
  version: number;
  /** The rule as it was written. */
  source: unknown;
  /** Of the content backend that has the contacts, where that is not the built-in one. */
  endpoint: string | null;
  collection: string;
  rule: RuleNode;
  field_mapping: FieldMapping;
  /** Its suppressions count beside those of the whole organization. */
  brandId: string | null;
  /** No two contacts have the same address: the built-in backend sees to it. What is read page by page may have two. */
  emailIsUnique: boolean;
}

/** As a send keeps it: the first version knew the built-in content backend alone. */
export type StoredAudience = Omit<Audience, 'endpoint'> & { endpoint?: string | null };

/** A field as the content backend tells it. */
export type AudienceField = RuleField & { unique: boolean };

export interface AudienceInput {
  endpoint?: string | null;
  collection: string;
  /** As it came in, or was stored: a filter may be older than a change of the fields. */
  rule: unknown;
  field_mapping: FieldMapping;
  brandId: string | null;
}

/**
 * Checks a rule and a field mapping against the fields of the collection.
 * @throws InvalidRule its path starts with `collection`, `rule` or `field_mapping`
 */
export function parseAudience(input: AudienceInput, fields: readonly AudienceField[]): Audience {
  // Templates and the like would be told to people who may read contacts only.
  if (isPlatformCollection(input.collection))
    throw new InvalidRule('collection', 'There is no such collection.');
  const { email, unsubscribed } = input.field_mapping;
  const typeOf = (name: string) => fields.find((field) => field.name === name)?.type;
  const emailField = fields.find(({ name }) => name === email);
  if (emailField?.type !== 'string' && emailField?.type !== 'text') {
    throw new InvalidRule('field_mapping.email', `There is no text field ${email} in ${input.collection}.`);
  }
  if (unsubscribed !== null && typeOf(unsubscribed) !== 'boolean') {
    throw new InvalidRule(
      'field_mapping.unsubscribed',
      `There is no true/false field ${unsubscribed} in ${input.collection}.`,
    );
  }
  const { endpoint = null } = input;
  return {
    ...input,
    version: audienceVersion,
    source: input.rule,
    endpoint,
    rule: parseRuleAt('rule', input.rule, fields),
    emailIsUnique: endpoint === null && emailField.unique,
  };
}

function parseRuleAt(prefix: string, rule: unknown, fields: readonly RuleField[]): RuleNode {
  try {
    return parseRule(rule, fields);
  } catch (error) {
    if (!(error instanceof InvalidRule)) throw error;
    throw new InvalidRule(error.path === '' ? prefix : `${prefix}.${error.path}`, error.reason, error);
  }
}

import { cutText } from '@reachout/contract/rules/cut-text.ts';
import { ORPCError } from '@orpc/contract';
import type { Item } from '@reachout/contract/content.ts';
import type { BackendAccess } from '../../../content/gateway/contact-collection.ts';
import {
  bytesOf,
  maxItemsBytes,
  noItems,
  readContentItems,
  type ContentItems,
  type ContentSource,
} from '../../../content/gateway/content-items.ts';
import type { CompileProblem, EmptyItemField, MergeTags } from '../../../email/email-content.ts';
import { messageOf } from './count-recipients.ts';
import { planEmail, type EmailPlan } from './plan-email.ts';
import { backendAccessOf } from '../../../contacts/audiences/find-contact.ts';
import { invalidInput } from '../../../platform/http/api-error.ts';
import type { MailSetup, ReviewOptions } from '../channel.ts';

export interface LoadedItems extends ContentItems {
  /** Why there are no items. */
  problem?: CompileProblem;
}

/** Reads the items of an email for a check: what fails is a problem of the email. */
export async function loadItems(
  access: BackendAccess,
  source: ContentSource | string | undefined,
): Promise<LoadedItems> {
  if (typeof source !== 'object') return noItems;
  try {
    return limitItems(await readContentItems(access, source));
  } catch (error) {
    if (!(error instanceof ORPCError)) throw error;
    const message = `The content items can’t be read: ${messageOf(error)}`;
    return { ...noItems, problem: { code: 'items_not_read', severity: 'error', message } };
  }
}

/** Leaves out items that are too large to be stored with a send. */
export function limitItems(items: ContentItems): LoadedItems {
  const bytes = bytesOf(items);
  if (bytes <= maxItemsBytes) return items;
  const [size, limit] = [bytes, maxItemsBytes].map((each) => `${Math.ceil(each / 1_000)} kB`);
  const message = `The content items have ${size}; the limit is ${limit}. List fewer items.`;
  return { ...noItems, problem: { code: 'items_too_large', severity: 'error', message } };
}

/** What is wrong with the content items of an email. */
export interface ItemProblems {
  /** Undefined for an email that has nothing to do with content items. */
  source: CompileProblem[] | undefined;
  /** Merge tags without a value. */
  tags: CompileProblem[];
}

export function findItemProblems(
  {
    email,
    source,
  }: Pick<EmailPlan, 'source'> & { email: Pick<EmailPlan['email'], 'item_id' | 'items_count'> },
  loaded: LoadedItems,
  { reads, emptyItemFields }: MergeTags,
): ItemProblems {
  const { item, items, problem } = loaded;
  const isUsed = reads.length > 0 || email.item_id !== null || email.items_count > 0;
  if (source === undefined && !isUsed) return { source: undefined, tags: [] };
  return {
    source: isUsed ? describeSource({ email, source }, loaded, reads) : [],
    tags:
      problem === undefined
        ? emptyItemFields.flatMap((found) =>
            found.of === 'item'
              ? item === undefined
                ? []
                : [describeItemField(found, item)]
              : [describeListedField(found, items)],
          )
        : [],
  };
}

function describeSource(
  { email, source }: Parameters<typeof findItemProblems>[0],
  { item, items, problem }: LoadedItems,
  reads: MergeTags['reads'],
): CompileProblem[] {
  if (typeof source === 'string')
    return [{ code: 'collection_unusable', severity: 'error', message: source }];
  if (problem !== undefined) return [problem];
  const problems: CompileProblem[] = [];
  if (item === undefined && email.item_id !== null)
    problems.push({
      code: 'item_missing',
      severity: 'error',
      message: 'The chosen content item does not exist any more.',
    });
  else if (item === undefined && reads.includes('item'))
    problems.push({ code: 'item_not_chosen', severity: 'error', message: 'Choose a content item.' });
  if (items.length === 0 && reads.includes('items'))
    problems.push({
      code: 'items_not_chosen',
      severity: 'warning',
      message: 'The email lists content items, but there are none to list.',
    });
  return problems;
}

function describeItemField({ field, place }: EmptyItemField, item: Item): CompileProblem {
  if (!isField(field, [item])) return describeUnknown(`item.${field}`, place);
  return {
    code: 'item_value_empty',
    severity: 'warning',
    message: `The item “${titleOf(item)}” has no value for: ${field}`,
    variable: `item.${field}`,
    ...place,
  };
}

function describeListedField(
  { field, place, count }: EmptyItemField,
  items: readonly Item[],
): CompileProblem {
  if (!isField(field, items)) return describeUnknown(`items.${field}`, place);
  return {
    code: 'items_value_empty',
    severity: 'warning',
    message: `${count} of ${items.length} items ${count === 1 ? 'has' : 'have'} no ${field}`,
    variable: field,
    ...place,
    count: { empty: count, recipients: items.length, is_exact: true },
  };
}

const describeUnknown = (variable: string, place: EmptyItemField['place']): CompileProblem => ({
  code: 'variable_unknown',
  severity: 'error',
  message: `There is no ${variable}, so it is always empty.`,
  variable,
  ...place,
});

/** A content backend returns all fields of an item, those without a value as null. */
const isField = (path: string, items: readonly Item[]): boolean => {
  const [name = ''] = path.split('.');
  return items.some((item) => Object.hasOwn(item, name));
};

const titleFields = ['title', 'name', 'subject', 'headline'];
const maxTitleLength = 80;

/** What people call an item. */
function titleOf(item: Item): string {
  const title = titleFields
    .map((field) => item[field])
    .find((value): value is string => typeof value === 'string' && value.trim() !== '');
  return cutText((title ?? (item['id'] as string)).trim(), maxTitleLength);
}

/**
 * Reads the items that an email is sent with, one by one. An item that cannot be read blocks its review.
 * @throws 404; 422 `invalid_input` without a collection that the caller can use, and for an item that is not in it
 */
export async function requireItems(
  { transaction }: Pick<ReviewOptions, 'transaction'>,
  touchpointId: string,
  itemIds: readonly string[],
  { content, publicUrl }: MailSetup,
): Promise<void> {
  const { source, touchpoint } = await transaction((trx) => planEmail(trx, touchpointId, publicUrl));
  if (touchpoint.collection === null)
    throw invalidInput('item_ids', 'The email has no collection of content items. Choose one first.');
  if (typeof source !== 'object') throw invalidInput('item_ids', 'There is no such content item.');
  const access = backendAccessOf(content, { organizationId: touchpoint.organization_id, transaction });
  for (const [index, itemId] of itemIds.entries()) {
    const { item, problem } = await loadItems(access, { ...source, itemId, count: 0 });
    if (item === undefined && problem === undefined)
      throw invalidInput(`item_ids.${index}`, 'There is no such content item.');
  }
}

import { backendAccessOf } from '../../../contacts/audiences/find-contact.ts';
import { invalidInput } from '../../../platform/http/api-error.ts';
import type { MailSetup, ReviewOptions } from '../channel.ts';
import { loadItems } from './check-items.ts';
import { planEmail } from './plan-email.ts';

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

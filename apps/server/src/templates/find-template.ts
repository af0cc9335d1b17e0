import type { Transaction } from '../platform/database/database.ts';
import { findTemplateItem } from './find-template.queries.ts';

/** What an author wrote; undefined when the template is gone. */
export async function findTemplateSource(
  trx: Transaction,
  organizationId: string,
  id: string,
): Promise<{ mjml: string } | undefined> {
  const data = await findTemplateItem(trx, organizationId, id);
  const mjml = data?.['mjml'];
  return data && { mjml: typeof mjml === 'string' ? mjml : '' };
}

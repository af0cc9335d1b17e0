import type { Transaction } from '../platform/database/database.ts';
import { addReactions } from '../queue/add-reactions.ts';

/**
 * Stores what touchpoints make of a confirmed sign-up, in the transaction that confirms it, or in which its contact was written to a
 * Directus: before that, nobody can get an email.
 */
export async function causeSignUp(
  trx: Transaction,
  organizationId: string,
  {
    id,
    form_id,
    collection,
    contact_id,
  }: { id: string; form_id: string; collection: string; contact_id: string | null },
): Promise<void> {
  if (contact_id === null) return;
  await addReactions(trx, [
    {
      organization_id: organizationId,
      type: 'SIGN_UP',
      source: form_id,
      key: id,
      at: new Date().toISOString(),
      collection,
      contact_id,
    },
  ]);
}

import type { Choice } from '@reachout/contract/reference.ts';
import type { Transaction } from '../../platform/database/database.ts';

type NamedList = 'countries' | 'organization_contact_types' | 'client_contact_types';

/** Sorted by name in English collation: Åland Islands are near the top. */
export async function listChoices(trx: Transaction, list: NamedList): Promise<Choice[]> {
  const choices = await trx.selectFrom<NamedList>(list).select(['id', 'name']).execute();
  const { compare } = new Intl.Collator('en');
  return choices.sort((one, other) => compare(one.name, other.name));
}

/** From small to large. */
export const listOrganizationSizes = (trx: Transaction): Promise<Choice[]> =>
  trx.selectFrom('organization_sizes').select(['id', 'name']).orderBy('position').execute();

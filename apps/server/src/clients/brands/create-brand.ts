import type { Brand } from '@reachout/contract/clients.ts';
import { invalidInput } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { colorOfName, toBrand, toColumns } from './brand.ts';
import { getBrand, insertBrand, updateBrand } from './brand.queries.ts';

type BrandKit = Omit<
  Brand,
  'id' | 'organization_id' | 'client_id' | 'client' | 'error_content' | 'created_at' | 'updated_at'
>;

/**
 * The color is derived from the name, and the rest of the kit is empty, unless given.
 * @throws 422 `invalid_input` for a client that does not exist here, or is deleted
 */
export async function createBrand(
  trx: Transaction,
  {
    client_id,
    name,
    tracking_policy,
    ...kit
  }: Partial<BrandKit> & Pick<Brand, 'client_id' | 'name' | 'tracking_policy'>,
): Promise<Brand> {
  const id = newId();
  if (!(await insertBrand(trx, { id, client_id, name, color: colorOfName(name), tracking_policy })))
    throw invalidInput('client_id', 'There is no such client.');
  if (Object.keys(kit).length > 0) await updateBrand(trx, id, toColumns(kit));
  return toBrand(await getBrand(trx, id));
}

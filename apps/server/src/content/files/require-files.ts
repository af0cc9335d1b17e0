import type { Transaction } from '../../platform/database/database.ts';
import { validationFailed } from '../backend/content-errors.ts';
import type { JsonValue } from '../backend/field-values.ts';
import type { StoredField } from '../built-in/stored-field.ts';
import { findFile } from './files.queries.ts';

/** Checks that the files in image fields exist. @throws 422 `validation_failed` */
export async function requireFiles(
  trx: Transaction,
  organizationId: string,
  fields: readonly StoredField[],
  data: Readonly<Record<string, JsonValue>>,
): Promise<void> {
  for (const { name, type, interface: shownAs } of fields) {
    const id = data[name];
    if (type !== 'uuid' || shownAs !== 'image' || typeof id !== 'string') continue;
    if ((await findFile(trx, organizationId, id)) === undefined)
      throw validationFailed([{ path: name, message: 'There is no such file.' }]);
  }
}

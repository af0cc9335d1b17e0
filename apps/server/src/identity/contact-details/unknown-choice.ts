import { DatabaseError } from 'pg';
import { invalidInput } from '../../platform/http/api-error.ts';

const foreignKeyViolation = '23503';

/** Columns with a choice from a shared list, and the error message for an unknown choice. */
const choices = {
  country_id: 'There is no such country.',
  contact_type_id: 'There is no such type of contact.',
  organization_size_id: 'There is no such size.',
};

/**
 * Runs a statement that stores such choices. If it throws, the transaction is aborted.
 * @throws 422 `invalid_input` on the field whose choice does not exist
 */
export async function rejectUnknownChoice<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof DatabaseError && error.code === foreignKeyViolation) {
      for (const [field, message] of Object.entries(choices))
        if (error.constraint?.endsWith(`_${field}_fkey`)) throw invalidInput(field, message);
    }
    throw error;
  }
}

import { DatabaseError } from 'pg';
import { invalidInput } from '../../platform/http/api-error.ts';

const foreignKeyViolation = '23503';

/** The columns that hold a choice from a list that everybody shares, and what is said when there is no such choice. */
const choices = {
  country_id: 'There is no such country.',
  contact_type_id: 'There is no such type of contact.',
  organization_size_id: 'There is no such size.',
};

/**
 * Runs a statement that stores such choices. Afterwards, if it throws, the transaction can do nothing more.
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

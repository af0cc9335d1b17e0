import { deleteRowsOf, type DeleteBatch, type DeleteBatchOf } from '../../platform/database/delete-rows.ts';
import { deleteUnconfirmed } from './sign-up.queries.ts';

/** Sign-ups that nobody has confirmed for 30 days. */
export const deleteUnconfirmedSignUps: DeleteBatch = deleteUnconfirmed;

/** Sign-ups, by `organization_id`. */
export const signUpRows: DeleteBatchOf = deleteRowsOf('sign_ups');

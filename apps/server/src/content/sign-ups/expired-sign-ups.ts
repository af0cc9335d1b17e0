import type { DeleteBatch } from '../../platform/database/delete-rows.ts';
import { deleteUnconfirmed } from './sign-up.queries.ts';

/** Sign-ups that nobody has confirmed for 30 days. */
export const deleteUnconfirmedSignUps: DeleteBatch = deleteUnconfirmed;

import type { SignUp } from '@reachout/contract/sign-up-forms.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { deleteSignUps, listSignUps } from './sign-up.queries.ts';

/** Lists the sign-ups of an address, confirmed or not, with their texts: the newest 1,000. */
export const listSignUpsOfPerson = (
  trx: Transaction,
  organizationId: string,
  addressKey: string,
): Promise<SignUp[]> => listSignUps(trx, { organizationId, addressKey }, 1_000);

/** Deletes the sign-ups of an address; the counts of forms stay. */
export const eraseSignUps: (trx: Transaction, organizationId: string, addressKey: string) => Promise<void> =
  deleteSignUps;

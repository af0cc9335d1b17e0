import type { RawBuilder } from 'kysely';
import type { SignUp } from '@reachout/contract/sign-up-forms.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { deleteSignUps, selectSignUps } from './sign-up.queries.ts';

export const maxSignUps = 1_000;

/** SQL that selects the sign-ups of an address, confirmed or not, with their texts: the newest. */
export const selectSignUpsOfPerson = (organizationId: string, addressKey: string): RawBuilder<SignUp> =>
  selectSignUps({ organizationId, addressKey }, maxSignUps);

/** Deletes the sign-ups of an address; the counts of forms stay. */
export const eraseSignUps: (trx: Transaction, organizationId: string, addressKey: string) => Promise<void> =
  deleteSignUps;

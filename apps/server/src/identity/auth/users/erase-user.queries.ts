import { sql } from 'kysely';
import type { Row, Transaction } from '../../../platform/database/database.ts';
import { containsPattern } from '../../../platform/database/like-pattern.ts';

type Person = Row<'users', 'id' | 'email'>;

const ofPerson = ({ id, email }: Person) => sql<boolean>`(email = ${email} or user_id = ${id})`;

/** Ids of codes and links that were emailed to the user, or are about the account. */
export async function listTokenIdsOf(trx: Transaction, person: Person): Promise<string[]> {
  const tokens = await trx.selectFrom('one_time_tokens').select('id').where(ofPerson(person)).execute();
  return tokens.map(({ id }) => id);
}

export async function deleteTokensOf(trx: Transaction, person: Person): Promise<void> {
  await trx.deleteFrom('one_time_tokens').where(ofPerson(person)).execute();
}

export async function deleteVerificationsOf(trx: Transaction, { id, email }: Person): Promise<void> {
  await trx
    .deleteFrom('verifications')
    .where((eb) =>
      eb.or([
        eb('identifier', '=', email),
        eb('value', 'like', containsPattern(email)),
        eb('value', '=', id),
      ]),
    )
    .execute();
}

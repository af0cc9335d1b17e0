import { parseAddress } from '../../email/addresses/address.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { insertPastForm, type PastForm, type PastSignUp } from './past-sign-ups.queries.ts';

/**
 * Stores a form with sign-ups of the past, whose contacts exist. Nothing is sent, and nobody's consent changes.
 * @throws Error if an address is none
 */
export async function createPastSignUps(
  trx: Transaction,
  form: PastForm,
  signUps: readonly Omit<PastSignUp, 'address_key'>[],
): Promise<void> {
  await insertPastForm(
    trx,
    form,
    signUps.map((signUp) => {
      const parsed = parseAddress(signUp.address);
      if ('error' in parsed) throw new Error(`${signUp.address} is no address.`);
      return { ...signUp, address: parsed.address, address_key: parsed.key };
    }),
  );
}

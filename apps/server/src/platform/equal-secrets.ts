import { timingSafeEqual } from 'node:crypto';

/** Compares without telling by the time it takes how much of the two is the same. */
export function equalSecrets(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}

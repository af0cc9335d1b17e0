import { timingSafeEqual } from 'node:crypto';

/** Compares two secrets in a time that does not depend on how much of them is equal. */
export function equalSecrets(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}

import { DatabaseError } from 'pg';

/**
 * Waits for a statement that only a constraint can stop: rows of concurrent transactions, or out of sight.
 * @returns false when it violates the constraint; nothing more can be done in the transaction then
 */
export async function satisfies(constraint: string, statement: Promise<unknown>): Promise<boolean> {
  try {
    await statement;
    return true;
  } catch (error) {
    if (error instanceof DatabaseError && error.constraint === constraint) return false;
    throw error;
  }
}

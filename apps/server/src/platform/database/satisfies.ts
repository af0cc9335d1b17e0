import { DatabaseError } from 'pg';

/**
 * Awaits a statement that may conflict with rows of concurrent transactions, or with rows hidden by row-level security.
 * @returns false if it violates the constraint; the transaction is then aborted
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

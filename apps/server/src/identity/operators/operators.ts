import { forbidden } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { OperationContext } from '../access/operations.ts';
import { hasAddressOf } from '../account/me.queries.ts';

/** Whether the settings list the user as an operator of the installation. */
export const isOperator = async (
  trx: Transaction,
  userId: string,
  operators: readonly string[],
): Promise<boolean> => operators.length > 0 && (await hasAddressOf(trx, userId, operators));

/** @throws 403 */
export async function requireOperator(
  { transaction, userId }: Pick<OperationContext, 'transaction' | 'userId'>,
  operators: readonly string[],
): Promise<void> {
  if (!(await transaction((trx) => isOperator(trx, userId, operators)))) throw forbidden('manage', 'Job');
}

import type { DataRequest } from '@reachout/contract/data-requests.ts';
import { canComplete, needsMember, type DataRequestState } from '@reachout/contract/states/data-request.ts';
import { maskAddress } from '../../email/addresses/address.ts';
import { requireWholeOrganization } from '../../identity/access/membership.ts';
import { inTransaction, operations, type OperationContext } from '../../identity/access/operations.ts';
import { invalidTransition, notFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { enqueueJob } from '../../platform/jobs/enqueue-job.ts';
import { dataRequestJobs, jobOf } from './data-request.ts';
import { listRequests, lockRequest, updateRequest, type ListedRequest } from './data-requests.queries.ts';

export const dataRequestRoutes = {
  list: inTransaction(operations.dataRequests.list, async (trx, input, context) => {
    // Requests concern all clients.
    requireWholeOrganization(context, 'read', 'Consent');
    const { organization_id: organizationId, page, page_size: limit } = input;
    const { items, ...counts } = await listRequests(trx, organizationId, { limit, offset: page * limit });
    return { items: items.map(toShown), ...counts };
  }),
  retry: inTransaction(operations.dataRequests.retry, async (trx, { id }, context) => {
    const key = await changeState(trx, id, context, 'running');
    await updateRequest(trx, key, { state: 'running' });
    await enqueueJob(trx, dataRequestJobs, jobOf(key));
    return await getShown(trx, key);
  }),
  complete: inTransaction(operations.dataRequests.complete, async (trx, { id }, context) => {
    const key = await changeState(trx, id, context, 'done');
    await updateRequest(trx, key, { state: 'done', erasesAddress: true });
    return await getShown(trx, key);
  }),
};

/** @throws 403, 404, 409 `invalid_transition` */
async function changeState(
  trx: Transaction,
  id: string,
  context: OperationContext,
  to: DataRequestState,
): Promise<{ organizationId: string; id: string }> {
  requireWholeOrganization(context, 'update', 'Consent');
  const key = { organizationId: context.organizationId, id };
  const request = await lockRequest(trx, key);
  // Only the owner of the address confirms it.
  if (request === undefined || request.state === 'unconfirmed') throw notFound();
  if (!(to === 'done' ? canComplete(request) : needsMember(request)))
    throw invalidTransition(request.state, to);
  // Without the address: entries outlive the erasure.
  context.note({ record_id: id, details: { kind: request.kind } });
  return key;
}

async function getShown(trx: Transaction, key: { organizationId: string; id: string }): Promise<DataRequest> {
  const { items } = await listRequests(trx, key.organizationId, { id: key.id, limit: 1, offset: 0 });
  return toShown(items[0]!);
}

const toShown = ({
  address_key,
  has_copy: _copy,
  language: _language,
  brand_id: _brand,
  ...request
}: ListedRequest): DataRequest => ({
  ...request,
  masked_address: address_key === null ? null : maskAddress(address_key),
});

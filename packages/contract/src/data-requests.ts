import { z } from 'zod';
import { pickErrors } from './errors.ts';
import { memberOperations } from './operation.ts';
import { dataRequestKinds, dataRequestStates } from './states/data-request.ts';
import { id, list, paging, timestamp } from './values.ts';

// What recipients ask for about their own data, from the preference page: docs/consent.md

export const DataRequest = z.object({
  id,
  organization_id: id,
  kind: z.enum(dataRequestKinds),
  state: z.enum(dataRequestStates),
  /** Only its first letter and its domain; null once it is erased. */
  masked_address: z.string().nullable(),
  brand_name: z.string().nullable(),
  requested_at: timestamp,
  confirmed_at: timestamp.nullable(),
  ended_at: timestamp.nullable(),
  /** Class of the failure of the content backend, as in the settings; null unless it waits or failed. */
  failure: z.string().nullable(),
  /** Why it waits or failed, for people. */
  error_content: z.string().nullable(),
});
export type DataRequest = z.infer<typeof DataRequest>;

const inOrganization = memberOperations('Consent', 'organization_id');
const onRequest = memberOperations('Consent', 'data_requests');

/** They concern all clients: members who are limited to some get 403. */
export const dataRequests = {
  list: inOrganization(
    'GET /data_requests',
    'Requests of recipients about their own data, newest first',
    'read Consent',
  )
    .input({ ...paging() })
    .output(
      list(DataRequest).extend({
        /** How many of all wait for a member. */
        waiting_count: z.number(),
      }),
    ),
  retry: onRequest(
    'POST /data_requests/{id}/retry',
    'Run a request again that waits or failed',
    'update Consent',
    { additionalPermissions: ['read Consent'] },
  )
    .errors(pickErrors('invalid_transition'))
    .output(DataRequest),
  complete: onRequest(
    'POST /data_requests/{id}/complete',
    'Say that what a waiting request still needs was done by hand',
    'update Consent',
    { additionalPermissions: ['read Consent'] },
  )
    .errors(pickErrors('invalid_transition'))
    .output(DataRequest),
};

import { z } from 'zod';
import { apiKeyScopeNames } from './abilities.ts';
import { pickErrors } from './errors.ts';
import { memberOperations, tooManyRecords } from './operation.ts';
import { id, list, name, paging, timestamp } from './values.ts';

export const ApiKey = z.object({
  id,
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()),
  created_by: z.object({ id, full_name: z.string() }).nullable(),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
  expires_at: timestamp,
  revoked_at: timestamp.nullable(),
});
export type ApiKey = z.infer<typeof ApiKey>;

const onApiKeys = memberOperations('API keys', 'organizations');

export const apiKeys = {
  list: onApiKeys(
    'GET /organizations/{id}/api_keys',
    'API keys of an organization, the latest first',
    'read ApiKey',
  )
    .input({ ...paging() })
    .output(list(ApiKey)),
  create: onApiKeys(
    'POST /organizations/{id}/api_keys',
    'Create an API key; only this response contains its secret',
    'create ApiKey',
    { requiresReauth: true, secretFields: ['secret'] },
  )
    .input({
      name,
      scopes: z
        .array(z.enum(apiKeyScopeNames as [string, ...string[]]))
        .min(1, 'Choose at least one scope.')
        .max(apiKeyScopeNames.length),
      days: z.int().min(1).max(730).default(365),
    })
    .errors({ ...pickErrors('beyond_own_rights'), ...tooManyRecords })
    .output(ApiKey.extend({ secret: z.string().nullable() })),
  createContentToken: onApiKeys(
    'POST /organizations/{id}/content_tokens',
    'Create a token that reads the items which I made, in the content API; only this response contains its secret',
    'read Organization',
    { requiresReauth: true, secretFields: ['secret'] },
  )
    .input({ name, days: z.int().min(1).max(365).default(365) })
    .errors(tooManyRecords)
    .output(ApiKey.extend({ secret: z.string().nullable() })),
  revoke: onApiKeys('DELETE /organizations/{id}/api_keys/{key_id}', 'Revoke an API key', 'delete ApiKey', {
    requiresReauth: true,
  })
    .input({ key_id: id })
    .output(ApiKey),
};

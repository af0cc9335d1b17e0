import { ORPCError } from '@orpc/contract';
import { dataRequestKinds } from '@reachout/contract/states/data-request.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { parseAddress } from '../../email/addresses/address.ts';
import type { TokenSigner } from '../../email/links/tokens.ts';
import type { RateLimits } from '../../identity/access/rate-limits.ts';
import { enqueueAccountEmail } from '../../identity/account-email/enqueue-account-email.ts';
import { renderMessagePage } from '../../insight/public-pages/pages.ts';
import {
  acceptForms,
  handlePageErrors,
  languageOf,
  sendPage,
  tokenOf,
  type TokenRequest,
} from '../../insight/public-pages/public-pages.ts';
import { findBrandOfPage, findRecipient, type Recipient } from '../../insight/public-pages/recipient.ts';
import { createSentMessages } from '../../insight/tracking/sent-messages.ts';
import { inOrganization, type Database } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { enqueueJob } from '../../platform/jobs/enqueue-job.ts';
import type { Log } from '../../platform/log.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { confirmableMs, dataRequestJobs, jobOf, readToken } from './data-request.ts';
import { renderAskPage, renderRequestPage, renderSentPage } from './data-pages.ts';
import { findRequest, insertRequest, lockRequest, readCopy, updateRequest } from './data-requests.queries.ts';
import { objectForAll } from './erase-person.ts';

export interface DataPageDeps {
  db: Database;
  signer: TokenSigner;
  secrets: Secrets;
  limits: RateLimits;
  publicUrl: string;
  log: Log;
}

/**
 * Registers the public pages about a person's own data: `/p/{token}/data` asks, `/d/{token}` behind the link of the email
 * confirms. Only their POST changes anything. docs/consent.md
 */
export async function registerDataPages(app: FastifyInstance, deps: DataPageDeps): Promise<void> {
  const { db, secrets, log } = deps;
  const messages = createSentMessages(deps);
  await app.register(async (scope) => {
    acceptForms(scope);
    handlePageErrors(scope, log);

    scope.get('/p/:token/data', async (request: TokenRequest, reply) => {
      const recipient = await findRecipient(db, messages, tokenOf(request));
      if (recipient === undefined) return await sendUnknown(request, reply);
      const language = languageOf(request, recipient.language);
      return await sendPage(reply, 200, renderAskPage(language, recipient.brand, recipient.address));
    });

    scope.post('/p/:token/data', async (request: TokenRequest, reply) => {
      const recipient = await findRecipient(db, messages, tokenOf(request));
      if (recipient === undefined) return await sendUnknown(request, reply);
      const language = languageOf(request, recipient.language);
      const { brand, address } = recipient;
      const given = (request.body as FormData | undefined)?.get('kind');
      const kind = dataRequestKinds.find((known) => known === given);
      if (kind === undefined) return await sendPage(reply, 400, renderAskPage(language, brand, address));
      const isSent = await askToConfirm(deps, recipient, kind, language);
      return await sendPage(reply, isSent ? 200 : 429, renderSentPage(language, brand, address, isSent));
    });

    scope.get('/d/:token', async (request: TokenRequest, reply) => {
      const key = readToken(secrets, tokenOf(request));
      const found = key && (await inOrganization(db, key.organizationId, (trx) => findRequest(trx, key)));
      if (key === undefined || found === undefined) return await sendUnknown(request, reply);
      if ((request.query as { file?: unknown }).file === '1' && found.has_copy) {
        const copy = await inOrganization(db, key.organizationId, (trx) => readCopy(trx, key));
        return await reply
          .headers({
            'content-type': 'application/json; charset=utf-8',
            'content-disposition': 'attachment; filename="my-data.json"',
            'cache-control': 'no-store',
            'referrer-policy': 'no-referrer',
            'x-robots-tag': 'noindex, nofollow',
            'x-content-type-options': 'nosniff',
          })
          .send(copy);
      }
      const brand = await findBrandOfPage(db, key.organizationId, found.brand_id);
      const language = languageOf(request, found.language);
      return await sendPage(reply, 200, renderRequestPage(language, found, brand, new Date()));
    });

    scope.post('/d/:token', async (request: TokenRequest, reply) => {
      const key = readToken(secrets, tokenOf(request));
      const found =
        key &&
        (await inOrganization(db, key.organizationId, async (trx) => {
          const locked = await lockRequest(trx, key);
          const isOld = Date.now() - Date.parse(locked?.requested_at ?? '') > confirmableMs;
          if (locked?.state !== 'unconfirmed' || locked.address_key === null || isOld) return locked;
          await updateRequest(trx, key, { state: 'running' });
          if (locked.kind === 'erasure')
            await objectForAll(trx, { organizationId: key.organizationId, addressKey: locked.address_key });
          await enqueueJob(trx, dataRequestJobs, jobOf(key));
          return await findRequest(trx, key);
        }));
      if (key === undefined || found === undefined) return await sendUnknown(request, reply);
      const brand = await findBrandOfPage(db, key.organizationId, found.brand_id);
      const language = languageOf(request, found.language);
      return await sendPage(reply, 200, renderRequestPage(language, found, brand, new Date()));
    });
  });
}

const sendUnknown = (request: TokenRequest, reply: FastifyReply) =>
  sendPage(reply, 404, renderMessagePage(languageOf(request), 'unknown'));

/** Sends the email that asks to confirm; a test message sends none. @returns false if the address got too many of them */
async function askToConfirm(
  { db, limits }: DataPageDeps,
  { message, brand, address }: Recipient,
  kind: (typeof dataRequestKinds)[number],
  language: 'en' | 'de',
): Promise<boolean> {
  const parsed = parseAddress(address);
  if (message.isTest || 'error' in parsed) return true;
  const { organizationId, sendId, seq } = message;
  try {
    await limits.count(['data_requests_of_address', `${organizationId}/${kind}/${parsed.key}`]);
  } catch (error) {
    if (error instanceof ORPCError && error.status === 429) return false;
    throw error;
  }
  const id = newId();
  await inOrganization(db, organizationId, async (trx) => {
    await insertRequest(trx, {
      organization_id: organizationId,
      id,
      kind,
      brand_id: brand.id,
      address_key: parsed.key,
      language,
      send_id: sendId,
      seq,
    });
    await enqueueAccountEmail(trx, {
      kind: 'confirm_data_request',
      recipient: parsed.address,
      language,
      payload: { organization_id: organizationId, request_id: id, brand_name: brand.name },
      validForMs: confirmableMs,
    });
  });
  return true;
}

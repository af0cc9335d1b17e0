import { dataRequestKinds, type DataRequestKind } from '@reachout/contract/states/data-request.ts';
import type { FastifyInstance } from 'fastify';
import { parseAddress } from '../../email/addresses/address.ts';
import type { TokenSigner } from '../../email/links/tokens.ts';
import type { RateLimits } from '../../identity/access/rate-limits.ts';
import { enqueueAccountEmail } from '../../identity/account-email/enqueue-account-email.ts';
import { nameOfOrganization } from '../../identity/organizations/organization-name.ts';
import { pageHeaders } from '../../insight/public-pages/page-layout.ts';
import type { Language } from '@reachout/contract/rules/languages.ts';
import {
  isBeyondLimit,
  languageOf,
  pageOf,
  registerPages,
  sendPage,
  tokenOf,
  type ShownPage,
  type TokenRequest,
} from '../../insight/public-pages/public-pages.ts';
import { findRecipient, findShownBrand, type Recipient } from '../../insight/public-pages/recipient.ts';
import { createSentMessages } from '../../insight/tracking/sent-messages.ts';
import { inOrganization, type Database, type Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { enqueueJob } from '../../platform/jobs/enqueue-job.ts';
import { toStartedStream } from '../../platform/http/started-stream.ts';
import type { Log } from '../../platform/log.ts';
import type { Secrets } from '../../platform/secrets.ts';
import {
  confirmableMs,
  copyLists,
  dataRequestJobs,
  jobOf,
  readRequestToken,
  type CopyAbout,
  type DataRequestKey,
} from './data-request.ts';
import { askPage, requestPage, sentPage } from './data-pages.ts';
import {
  findCopy,
  findRequest,
  insertRequest,
  listRecords,
  lockRequest,
  updateRequest,
  type DataRequestRow,
} from './data-requests.queries.ts';
import { beginErasure } from './erase-person.ts';

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
  await registerPages(app, deps.log, (scope) => {
    registerAsking(scope, deps);
    registerRequest(scope, deps);
  });
}

function registerAsking(app: FastifyInstance, deps: DataPageDeps): void {
  const messages = createSentMessages(deps);

  async function find(request: TokenRequest) {
    const message = await messages.find('unsubscribe', tokenOf(request));
    const recipient =
      message &&
      (await inOrganization(deps.db, message.organizationId, (trx) => findRecipient(trx, message)));
    return recipient && { ...recipient, isTest: message.isTest };
  }

  app.get(
    '/p/:token/data',
    pageOf(async (request) => {
      const recipient = await find(request);
      return recipient && { language: recipient.language, page: (language) => askPage(language, recipient) };
    }),
  );

  app.post(
    '/p/:token/data',
    pageOf(async (request) => {
      const recipient = await find(request);
      if (recipient === undefined) return undefined;
      const { language: spoken } = recipient;
      const given = (request.body as FormData | undefined)?.get('kind');
      const kind = dataRequestKinds.find((known) => known === given);
      if (kind === undefined)
        return { status: 400, language: spoken, page: (language) => askPage(language, recipient) };
      const isSent =
        recipient.isTest || (await askToConfirm(deps, recipient, kind, languageOf(request, spoken)));
      return {
        status: isSent ? 200 : 429,
        language: spoken,
        page: (language) => sentPage(language, recipient, isSent),
      };
    }),
  );
}

function registerRequest(app: FastifyInstance, { db, secrets }: DataPageDeps): void {
  /** The request as `read` returns it, in the same transaction. */
  async function show(
    request: TokenRequest,
    read: (trx: Transaction, key: DataRequestKey) => Promise<DataRequestRow | undefined>,
  ): Promise<ShownPage | undefined> {
    const key = readRequestToken(secrets, tokenOf(request));
    if (key === undefined) return undefined;
    return await inOrganization(db, key.organizationId, async (trx) => {
      const row = await read(trx, key);
      if (row === undefined) return undefined;
      const brand = await findShownBrand(trx, key.organizationId, row.brand_id);
      const names = { brand, organizationName: await nameOfOrganization(trx) };
      return { language: row.language, page: (language) => requestPage(language, row, names, new Date()) };
    });
  }

  app.get('/d/:token', async (request: TokenRequest, reply) => {
    const key = readRequestToken(secrets, tokenOf(request));
    if (key !== undefined && (request.query as { file?: unknown }).file === '1') {
      const copy = await inOrganization(db, key.organizationId, (trx) => findCopy(trx, key));
      if (copy !== undefined) {
        app.reserveResponse(request, bytesOfOpenCopy);
        return await reply
          .headers({
            ...pageHeaders,
            'content-type': 'application/json; charset=utf-8',
            'content-disposition': 'attachment; filename="my-data.json"',
          })
          .send(await toStartedStream(readCopy(db, key, copy)));
      }
    }
    return await sendPage(request, reply, await show(request, findRequest));
  });

  app.post(
    '/d/:token',
    pageOf((request) =>
      show(request, async (trx, key) => {
        const locked = await lockRequest(trx, key);
        const isOld = Date.now() - Date.parse(locked?.requested_at ?? '') > confirmableMs;
        if (locked?.state !== 'unconfirmed' || locked.address_key === null || isOld) return locked;
        await updateRequest(trx, key, { state: 'running' });
        if (locked.kind === 'erasure')
          await beginErasure(trx, secrets, {
            organizationId: key.organizationId,
            addressKey: locked.address_key,
          });
        await enqueueJob(trx, dataRequestJobs, jobOf(key));
        return await findRequest(trx, key);
      }),
    ),
  );
}

/** What a download keeps in memory: a piece of the copy, and its bytes. */
const bytesOfOpenCopy = 4_000_000;

/** Reads the file of a copy, each piece in a transaction of its own, so that a slow client holds no connection. */
async function* readCopy(db: Database, key: DataRequestKey, about: CopyAbout): AsyncGenerator<string> {
  yield JSON.stringify(about, undefined, 2).slice(0, -2);
  for (const list of copyLists) {
    yield `,\n  "${list}": [`;
    for (let after = 0; ;) {
      const records = await inOrganization(db, key.organizationId, async (trx) => {
        // Otherwise the file would look complete although its records are gone.
        if ((await findCopy(trx, key)) === undefined) throw new Error('The copy has been removed.');
        return await listRecords(trx, key, { list, after });
      });
      if (records.length === 0) break;
      yield `${after === 0 ? '' : ','}\n    ${records.join(',\n    ')}`;
      after += records.length;
    }
    yield '\n  ]';
  }
  yield '\n}\n';
}

/** Sends the email that asks to confirm. @returns false if the address got too many of them */
async function askToConfirm(
  { db, limits }: DataPageDeps,
  { key, brand, address }: Recipient,
  kind: DataRequestKind,
  language: Language,
): Promise<boolean> {
  const parsed = parseAddress(address);
  if ('error' in parsed) return true;
  const { organizationId, sendId, seq } = key;
  const count = () => limits.count(['data_requests_of_address', `${organizationId}/${kind}/${parsed.key}`]);
  if (await isBeyondLimit(count)) return false;
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
      organizationId,
    });
  });
  return true;
}

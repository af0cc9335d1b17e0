import { collectionName, itemKey } from '@reachout/contract/values.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { writeAuditEntry } from '../../identity/access/audit.ts';
import { authorizeRequest } from '../../identity/access/authorize-request.ts';
import { originOf, type Caller } from '../../identity/access/caller.ts';
import { limitedTransaction } from '../../identity/access/limited-transaction.ts';
import type { Access } from '../../identity/access/membership.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { notFound } from '../../platform/http/api-error.ts';
import { forbidCaching, sendApiErrors } from '../../platform/http/request-guards.ts';
import { rejectPlatformCollections } from '../../content/collections/item-input.ts';
import { findContacts } from '../consent/find-contacts.ts';
import type { DirectusDeps } from '../../content/directus/connection.ts';
import { readProof } from './read-proof.ts';

export interface ProofExportDeps extends DirectusDeps {
  db: Database;
  access: Access;
  /** The caller, by session or API key. */
  findCaller: (request: FastifyRequest) => Promise<Caller | undefined>;
}

const Contact = z.object({ collection: collectionName, key: itemKey });

type ProofRequest = FastifyRequest<{ Params: { organization_id: string; collection: string; key: string } }>;

/** Serves what a contact has signed up for as a file. Downloads are recorded, so it is not an operation that only reads. */
export async function registerProofExport(app: FastifyInstance, deps: ProofExportDeps): Promise<void> {
  await app.register(async (scope) => {
    forbidCaching(scope);
    sendApiErrors(scope);
    // No HEAD, because each request is recorded in the audit log as a download.
    scope.get(
      '/api/content/:organization_id/consent/:collection/:key/sign_ups/export',
      { exposeHeadRoute: false },
      (request: ProofRequest, reply) => sendProof(deps, request, reply),
    );
  });
}

async function sendProof(deps: ProofExportDeps, request: ProofRequest, reply: FastifyReply) {
  const { organization_id } = request.params;
  const { data: contact } = Contact.safeParse(request.params);
  if (contact === undefined) throw notFound();
  const { collection, key } = contact;
  const who = await authorizeRequest(deps.access, {
    caller: await deps.findCaller(request),
    record: ['organizations', organization_id],
    requiredPermissions: [
      ['read', 'Consent'],
      ['read', 'Content'],
    ],
    isUnsafe: false,
  });
  const transaction = <T>(work: (trx: Transaction) => Promise<T>) => limitedTransaction(deps.db, who, work);
  const contacts = await findContacts(deps, { ...who, transaction }, rejectPlatformCollections(collection), [
    key,
  ]);
  const items = await transaction(async (trx) => {
    const found = await readProof(trx, who.organizationId, contacts);
    await writeAuditEntry(trx, { ...who, origin: originOf(request) }, 'signUpForms.exportProof', {
      record_type: 'signUpForms',
      record_id: key,
      details: { count: found.length },
    });
    return found;
  });
  return await reply
    .type('application/json; charset=utf-8')
    .header('content-disposition', 'attachment; filename="sign-ups.json"')
    .send(JSON.stringify({ items }, null, 2));
}

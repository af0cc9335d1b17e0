import type { FastifyInstance, FastifyRequest } from 'fastify';
import { buckets } from '@reachout/contract/rules/storage.ts';
import { limitPublicDownloads, sendFile } from '../../identity/storage/send-file.ts';
import { contentKey } from '../../identity/storage/stored-path.ts';
import type { Database } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { notFound } from '../../platform/http/api-error.ts';
import { forbidCaching, sendApiErrors } from '../../platform/http/request-guards.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { findSignedFile } from './files.queries.ts';
import { verifySignedFile } from './signed-file.ts';

/** Serves signed addresses: a private file, for everyone who has the address, until it expires. */
export async function registerSignedFiles(
  app: FastifyInstance,
  { db, files, secrets }: { db: Database; files: FileStore; secrets: Secrets },
): Promise<void> {
  await app.register(async (scope) => {
    forbidCaching(scope);
    sendApiErrors(scope);
    scope.get(
      '/api/storage/signed/:token',
      async (request: FastifyRequest<{ Params: { token: string } }>, reply) => {
        const signed = verifySignedFile(secrets, request.params.token, new Date());
        if (signed === undefined) throw notFound();
        return await limitPublicDownloads(request, 'signed', async () => {
          const found = await findSignedFile(db, signed);
          if (found === undefined) throw notFound();
          request.server.reserveResponse(request, found.filesize);
          const bytes = await files.read(contentKey(signed.organizationId, signed.bytesId));
          if (bytes === undefined) throw notFound();
          const { isShown } = buckets[found.bucket];
          return await sendFile(reply, { type: found.type, name: found.filename_download }, bytes, {
            isShown,
          });
        });
      },
    );
  });
}

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isInvalidImage } from '../../identity/storage/image.ts';
import { registerPublicFiles } from '../../identity/storage/public-files.ts';
import { limitPublicDownloads, sendStored } from '../../identity/storage/send-file.ts';
import { contentKey } from '../../identity/storage/stored-path.ts';
import type { Database } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { orNotFound } from '../../platform/http/api-error.ts';
import { sendApiErrors } from '../../platform/http/request-guards.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { readDrawn, publicKey } from './drawn-images.ts';
import { findPublicImage, findSignedFile } from './files.queries.ts';
import { verifySignedFile } from './signed-file.ts';

/** Serves `/i/{key}`: an image that was made public, for the readers of emails. */
export const registerPublicImages = (
  app: FastifyInstance,
  { db, files }: { db: Database; files: FileStore },
): Promise<void> =>
  registerPublicFiles(app, '/i/:key', {
    find: async (key) => {
      const image = publicKey.test(key) ? await findPublicImage(db, key) : undefined;
      return image && { bytes_id: `${image.organization_id}/${image.bytes_id}`, type: image.type };
    },
    read: async (id) => {
      const [organization_id = '', bytes_id = ''] = id.split('/');
      // Images that were public before they were drawn may be beyond what can be drawn.
      return await readDrawn(files, { organization_id, bytes_id }).catch((error: unknown) => {
        if (isInvalidImage(error)) return undefined;
        throw error;
      });
    },
    // Of at most 5 MB each.
    remembered: 10,
  });

/** Serves signed addresses: a private file, for everyone who has the address, until it expires. */
export async function registerSignedFiles(
  app: FastifyInstance,
  { db, files, secrets }: { db: Database; files: FileStore; secrets: Secrets },
): Promise<void> {
  await app.register(async (scope) => {
    sendApiErrors(scope);
    scope.get(
      '/api/storage/signed/:token',
      async (request: FastifyRequest<{ Params: { token: string } }>, reply) => {
        const signed = orNotFound(verifySignedFile(secrets, request.params.token, new Date()));
        const { organizationId, bytesId: bytes_id } = signed;
        return await limitPublicDownloads(request, 'signed', () =>
          sendStored(request, reply, {
            find: async () => {
              const found = await findSignedFile(db, signed);
              return found && { ...found, bytes_id };
            },
            read: () => files.read(contentKey(organizationId, bytes_id)),
            kept: 'never',
          }),
        );
      },
    );
  });
}

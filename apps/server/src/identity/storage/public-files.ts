import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createCache } from '../../platform/cache.ts';
import { sendApiErrors } from '../../platform/http/request-guards.ts';
import { limitPublicDownloads, sendStored, type SentFile } from './send-file.ts';

interface PublicFiles {
  find: (key: string) => Promise<SentFile | undefined>;
  /** Reads what everyone may see of these bytes. */
  read: (bytesId: string) => Promise<Buffer | undefined>;
  /** Number of files that are kept in memory: all readers of a mailing request its images within minutes. */
  remembered: number;
  /** Whether they are so small that slow readers need no limit. */
  isSmall?: boolean;
}

/** Serves images that everyone may see, such as the readers of emails. @param address  with the parameter `key` */
export async function registerPublicFiles(
  app: FastifyInstance,
  address: string,
  { find, read, remembered, isSmall = false }: PublicFiles,
): Promise<void> {
  const readOnce = createCache(remembered, read);
  await app.register(async (scope) => {
    sendApiErrors(scope);
    scope.get(address, async (request: FastifyRequest<{ Params: { key: string } }>, reply) => {
      const { key } = request.params;
      // Before it takes a place among the downloads of its network. A mail program shows no text.
      let known = await find(key);
      if (known === undefined) return await reply.code(404).header('cache-control', 'no-store').send('');
      const findAgain = async () => {
        const file = known ?? (await find(key));
        known = undefined;
        return file;
      };
      const send = () =>
        sendStored(request, reply, {
          find: findAgain,
          read: ({ bytes_id: bytesId }) => readOnce(bytesId),
          kept: 'public',
        });
      return await (isSmall ? send() : limitPublicDownloads(request, 'public', send));
    });
  });
}

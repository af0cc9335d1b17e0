import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface S3Server {
  /** The value for S3_URL. */
  url: string;
  /** Objects of the bucket `files`, by key. */
  objects: Map<string, Buffer>;
  /** While true, every request gets a 500. */
  isBroken: boolean;
  close: () => Promise<void>;
}

/** Starts the part of S3 that the file store uses: one bucket with path-style URLs that accepts any signature. */
export async function startS3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const http = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const server: S3Server = {
    url: '',
    objects,
    isBroken: false,
    close: async () => {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://s3');
    const key = /^\/files\/(.+)$/.exec(pathname)?.[1];
    const isSigned = request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=id/') === true;
    if (server.isBroken) return fail(response, 500, 'InternalError');
    if (!isSigned) return fail(response, 403, 'AccessDenied');
    if (!pathname.startsWith('/files')) return fail(response, 404, 'NoSuchBucket');
    if (request.method === 'PUT' && key !== undefined) {
      objects.set(key, body);
      response.end();
    } else if (request.method === 'DELETE' && key !== undefined) {
      objects.delete(key);
      response.writeHead(204).end();
    } else if (request.method === 'POST' && searchParams.has('delete')) {
      for (const [, each = ''] of body.toString().matchAll(/<Key>([^<]+)<\/Key>/g)) objects.delete(each);
      response.end('<DeleteResult></DeleteResult>');
    } else if (request.method === 'GET' && searchParams.has('list-type')) {
      response.end(listOf(searchParams.get('prefix') ?? '', searchParams.get('continuation-token')));
    } else if (request.method === 'GET' && key !== undefined) {
      const object = objects.get(key);
      if (object === undefined) fail(response, 404, 'NoSuchKey');
      else response.end(object);
    } else fail(response, 501, 'NotImplemented');
  }

  /** Lists two keys per page, so that there are several pages. */
  function listOf(prefix: string, token: string | null): string {
    const found = [...objects.entries()]
      .filter(([key]) => key.startsWith(prefix) && (token === null || key > token))
      .toSorted(([one], [other]) => (one < other ? -1 : 1));
    const page = found.slice(0, 2);
    const contents = page.map(
      ([key, { length }]) =>
        `<Contents><Key>${key}</Key><Size>${length}</Size><LastModified>2026-01-02T03:04:05.000Z</LastModified></Contents>`,
    );
    const next = found.length > 2 ? `<NextContinuationToken>${page.at(-1)?.[0]}</NextContinuationToken>` : '';
    return `<ListBucketResult>${next}${contents.join('')}</ListBucketResult>`;
  }

  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  server.url = `s3+http://id:key@127.0.0.1:${(http.address() as AddressInfo).port}/files`;
  return server;
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status).end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}

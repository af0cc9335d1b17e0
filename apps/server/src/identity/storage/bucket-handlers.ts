import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FileList, FileListing, Uploaded } from '@reachout/contract/file-transfers.ts';

/** What the routes do with the files of a bucket. They get paths as they were sent, without decoding. */
export interface BucketHandlers {
  upload: (request: FastifyRequest, path: string) => Promise<Omit<Uploaded, 'bucket'>>;
  send: (request: FastifyRequest, reply: FastifyReply, path: string) => Promise<FastifyReply>;
  /** The path of what was removed. */
  remove: (request: FastifyRequest, path: string) => Promise<string>;
  list: (request: FastifyRequest, list: FileListing) => Promise<FileList>;
}

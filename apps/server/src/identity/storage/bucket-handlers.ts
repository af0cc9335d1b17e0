import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { paging, search } from '@reachout/contract/values.ts';

/** What the routes do with the files of a bucket. They get paths as they were sent, without decoding. */
export interface BucketHandlers {
  /** The body of the response. */
  upload: (request: FastifyRequest, path: string) => Promise<object>;
  send: (request: FastifyRequest, reply: FastifyReply, path: string) => Promise<FastifyReply>;
  /** The path of what was removed. */
  remove: (request: FastifyRequest, path: string) => Promise<string>;
  list: (request: FastifyRequest, list: FileListing) => Promise<{ items: StoredItem[]; count: number }>;
}

export const FileListing = z.strictObject({ prefix: z.string().optional(), search, ...paging(10) });
/** Which files to list: those whose path begins with the folder `prefix`. */
export type FileListing = z.infer<typeof FileListing>;

export interface StoredItem {
  /** Within the bucket. */
  path: string;
  name: string;
  bytes: number;
  type: string;
  updated_at: string;
  public_url: string | null;
}

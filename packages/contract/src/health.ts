import { z } from 'zod';
import { pickErrors } from './errors.ts';
import { publicOperations } from './operation.ts';

const ofServer = publicOperations('Health');

/** `live` accesses no other service; `ready` returns no details. */
export const health = {
  live: ofServer('GET /health/live', 'The process runs').output({ status: z.literal('ok') }),
  ready: ofServer('GET /health/ready', 'The process can do its work: the database takes writes')
    .errors(pickErrors('not_ready'))
    .output({ status: z.literal('ok') }),
};

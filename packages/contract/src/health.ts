import { z } from 'zod';
import { apiErrors } from './errors.ts';
import { publicOperation } from './operation.ts';

/** `live` touches nothing; `ready` gives no details. */
export const health = {
  live: publicOperation({
    method: 'GET',
    path: '/health/live',
    summary: 'The process runs',
    tag: 'Health',
  }).output(z.object({ status: z.literal('ok') })),
  ready: publicOperation({
    method: 'GET',
    path: '/health/ready',
    summary: 'The process can do its work',
    tag: 'Health',
  })
    .errors({ not_ready: apiErrors.not_ready })
    .output(z.object({ status: z.literal('ok') })),
};

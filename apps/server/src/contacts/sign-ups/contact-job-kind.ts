import { z } from 'zod';
import type { JobKind } from '../../platform/jobs/job-kind.ts';

/** Writes the contact of a confirmed sign-up to the content backend. */
export const signUpContactJobs: JobKind<{ sign_up_id: string }> = {
  name: 'sign_up_contact',
  payload: z.strictObject({ sign_up_id: z.uuid() }),
  maxOpen: 10_000,
  atLimit: 'unavailable',
};

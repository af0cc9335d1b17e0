import { call } from '@orpc/server';
import type { CreateTouchpoint } from '@reachout/contract/create-touchpoint.ts';
import type { Touchpoint } from '@reachout/contract/touchpoints.ts';
import { operations, type OperationContext, type RequestContext } from '../../identity/access/operations.ts';
import { changeEmail } from '../../outreach/channels/email/change-email.ts';
import { changeHosts } from '../../outreach/channels/website/website-settings.ts';
import { createTouchpoint } from '../../outreach/touchpoints/create-touchpoint.ts';
import { requireTouchpoint } from '../../outreach/touchpoints/find-touchpoint.ts';
import { requireShown } from '../../outreach/touchpoints/require-shown.ts';
import { toTouchpoint } from '../../outreach/touchpoints/touchpoint.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { addData, underPath } from '../../platform/http/api-error.ts';
import { toFirstOccurrence } from './create-schedule.ts';
import type { createScheduleRoutes } from './schedule.routes.ts';
import { timesOf } from './send-times.ts';

/**
 * Creates a touchpoint, with its email or the hosts of its website, in one transaction. A schedule is then created by its own operation, because the
 * review takes long: if that fails, the draft stays, and a repeat with the same idempotency key goes on with it.
 */
export function createTouchpointRoutes({ create }: Pick<ReturnType<typeof createScheduleRoutes>, 'create'>) {
  const handle = async ({
    input,
    context,
  }: {
    input: CreateTouchpoint;
    context: RequestContext & OperationContext;
  }): Promise<Touchpoint> => {
    const { id, ...draft } = await context.commit((trx) => createDraft(trx, input, context));
    if (input.schedule === undefined) return { id, ...draft };
    await call(
      create,
      { id, ...input.schedule },
      // The path of the request is that of this operation.
      { context: { ...context, path: undefined }, path: ['schedules', 'create'] },
    ).catch((error: unknown) => {
      throw addData(underPath('schedule', error), { touchpoint_id: id });
    });
    return await context.transaction(async (trx) => toTouchpoint(await requireTouchpoint(trx, id)));
  };
  return {
    create: operations.touchpoints.create.handler(handle),
    createByRpc: operations.rpc.createTouchpoint.handler(handle),
  };
}

async function createDraft(
  trx: Transaction,
  { email, website, schedule, ...input }: CreateTouchpoint,
  context: OperationContext,
): Promise<Touchpoint> {
  requireShown(context, { ...email, collection: input.collection });
  // A time that cannot be used leaves no draft behind.
  if (schedule !== undefined)
    await toFirstOccurrence(trx, { ...schedule, ...timesOf(schedule) }).catch((error: unknown) => {
      throw underPath('schedule', error);
    });
  const { id } = await createTouchpoint(trx, input);
  const { organization_id: _organization, ...draft } = input;
  context.note({ record_type: 'touchpoints', fields: Object.keys({ ...draft, ...email, ...website }) });
  if (email !== undefined) {
    const { values } = await changeEmail(trx, id, email).catch((error: unknown) => {
      throw underPath('email', error);
    });
    context.note({ values: { ...values, ...(email.subject && { subject: email.subject }) } });
  }
  if (website !== undefined)
    await changeHosts(trx, id, website.hosts).catch((error: unknown) => {
      throw underPath('website', error);
    });
  return toTouchpoint(await requireTouchpoint(trx, id));
}

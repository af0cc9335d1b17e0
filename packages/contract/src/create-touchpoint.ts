import { z } from 'zod';
import { apiErrors } from './errors.ts';
import { errorData, memberOperations } from './operation.ts';
import { Quota, quotaErrors } from './organizations.ts';
import { isWindow, newSchedule, windowProblem } from './schedules.ts';
import { startErrors } from './sends.ts';
import { touchpointTypes } from './states/touchpoint.ts';
import { Touchpoint, TouchpointEmailInput } from './touchpoints.ts';
import { collectionName, id, name } from './values.ts';
import { WebsiteInput } from './websites.ts';

// Nobody has seen an email that is created with its schedule.
const { expected_version: _version, ...unseenSchedule } = newSchedule;

const input = z
  .strictObject({
    organization_id: id,
    campaign_id: id,
    name,
    type: z.enum(touchpointTypes),
    collection: collectionName.nullable().optional(),
    /** Subject, sender, body, content item and audience of an email. */
    email: TouchpointEmailInput.optional(),
    /** The hosts of a website. */
    website: WebsiteInput.optional(),
    /** When the email is sent: it is reviewed and confirmed after it was created. */
    schedule: z.strictObject(unseenSchedule).refine(isWindow, windowProblem).optional(),
  })
  .refine(({ type, email }) => type === 'email' || email === undefined, {
    path: ['email'],
    error: 'Only a touchpoint of type email has an email.',
  })
  .refine(({ type, website }) => type === 'website' || website === undefined, {
    path: ['website'],
    error: 'Only a touchpoint of type website has hosts.',
  })
  .refine(({ type, schedule }) => type === 'email' || schedule === undefined, {
    path: ['schedule'],
    error: 'Only a touchpoint of type email can be scheduled.',
  })
  .refine(({ type, email, schedule }) => type !== 'email' || schedule === undefined || email !== undefined, {
    path: ['email'],
    error: 'Add the email that is scheduled.',
  });

export type CreateTouchpoint = z.output<typeof input>;

/** The draft that was created before this error, and stays; missing if nothing was created. */
const draft = { touchpoint_id: id.optional() };
const onlyDraft = z.object(draft).optional();

const errors = {
  campaign_archived: { ...apiErrors.campaign_archived, data: onlyDraft },
  changed_elsewhere: { ...apiErrors.changed_elsewhere, data: onlyDraft },
  audience_changed: {
    ...startErrors.audience_changed,
    data: startErrors.audience_changed.data.extend(draft),
  },
  invalid_input: { ...apiErrors.invalid_input, data: errorData.invalid_input.extend(draft) },
  invalid_transition: {
    ...startErrors.invalid_transition,
    data: startErrors.invalid_transition.data.extend(draft),
  },
  quota_exceeded: { ...quotaErrors.quota_exceeded, data: Quota.extend(draft) },
  send_blocked: { ...startErrors.send_blocked, data: startErrors.send_blocked.data.extend(draft) },
};

const inOrganization = memberOperations('Touchpoints', 'organization_id');
const options = {
  inputPermissions: { email: 'update Touchpoint', website: 'update Touchpoint', schedule: 'send Touchpoint' },
  manualTransaction: true,
} as const;

export const createTouchpoint = inOrganization(
  'POST /touchpoints',
  'Create a touchpoint of a campaign; an email with its content, and scheduled',
  'create Touchpoint',
  options,
)
  .input(input)
  .errors(errors)
  .output(Touchpoint);

export const createTouchpointRpc = inOrganization(
  'POST /rpc/create_touchpoint',
  'Create a touchpoint, an email with its content, and scheduled (RPC)',
  'create Touchpoint',
  options,
)
  .input(input)
  .errors(errors)
  .output(Touchpoint);

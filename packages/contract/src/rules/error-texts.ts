/** What the other errors that the app can show say, by code: see `common-error-texts.ts`. */
export const errorTexts = {
  preferences_too_large: 'Your preferences are too large to save: all together can have at most 64 kB.',
  authenticator_exists: 'You already have an authenticator app. Remove it first.',
  invalid_image: 'This file can’t be used as an image. Choose a PNG, JPEG, WebP or GIF.',
  file_too_large: 'This file is larger than 10 MB. Choose a smaller one.',
  image_too_large: 'This image is larger than 5 MB. Choose a smaller one.',
  too_many_organizations:
    'You already own 20 organizations, or created 10 today. Delete one, or wait until tomorrow.',
  too_many_records: 'The limit is reached. Delete some first.',
  own_account: 'You cannot change the status of your own account.',
  last_owner: 'An organization needs at least one owner. Make someone else an owner first.',
  beyond_own_rights: 'You can’t grant or revoke permissions that you don’t have yourself.',
  role_in_use: 'Members or invitations still have this role. Change their role first.',
  already_member: 'You are already a member of this organization.',
  not_a_member: 'This person is not a member of the organization. Send an invitation.',
  name_taken: 'This name is already taken. Choose another one.',
  not_unique: 'Another item already has this value.',
  field_protected: 'Contacts need this field: it can’t be changed in this way.',
  goal_exists: 'This event is a goal already.',
  too_many_goals: 'This website has as many goals as it can have. Remove one first.',
  host_missing: 'Add a host first: without one, all events of the website would be dropped.',
  import_in_progress: 'A file is being imported into this collection. Wait until the import has ended.',
  starting_collection: 'The organization started with this list. You can empty it, but not delete it.',
  nothing_to_follow_up:
    'This send has no failed messages to send again: it is still in progress, or already has a follow-up.',
  send_in_progress: 'Something here is scheduled or being sent. Cancel that first.',
  campaign_archived: 'This campaign is archived. Unarchive it first.',
  send_blocked: 'This email can’t be sent yet. The checklist shows what is missing.',
  invalid_topology:
    'Invalid topology definition: the touchpoints would notify each other in a loop. Let one of them react once per contact.',
  reaction_over: 'This no longer waits: it has happened, or was cancelled.',
  suppressions_changed: 'The number of suppressions has changed since you confirmed it.',
  audience_changed: 'The audience has changed since you confirmed it.',
  touchpoint_locked: 'This email is scheduled, being sent or sent, and can no longer be changed.',
  body_missing: 'Write the email first.',
  filter_in_use: 'An email uses this audience. Choose another one for it first.',
  topic_in_use:
    'An email, also one in the trash, or a send in progress has this topic. Choose another one for it first.',
  changed_elsewhere: 'Someone else changed this after you opened it.',
  validation_failed: 'A value is missing or doesn’t fit its field.',
  invalid_period: 'This period is not valid. Use one such as 1day, -1day, 7day or start::end.',
  too_many_imports: 'Twenty imports are running or waiting. Wait until one of them has finished.',
  transport_in_use: 'Emails are sent by this transport. Choose another one for them first.',
  transport_failed: 'The mail server or provider can’t be used.',
  backend_failed: 'The content backend of the organization can’t be used.',
  storage_full: 'Image storage is full. Remove some logos first.',
  quota_exceeded: 'Your organization has reached a limit. The operator of this installation can raise it.',
  field_in_use: 'Audiences use this field. Change those first.',
  too_many_values:
    'Too many items have a value in this field to change all of them at once. Add a new field instead.',
  values_do_not_fit: 'Values of stored items don’t fit. Change those items first.',
  owner_in_use: 'Audiences or emails of another client or brand use this. Change those first.',
  collection_in_use: 'Audiences use this list. Delete those first.',
  daily_limit_reached:
    'Your organization, or all of your organizations together, would reach more recipients in 24 hours than they may. Wait, or ask the operator of this installation for a higher limit.',
} as const;

/** What to do at the limit of each quota, beside asking the operator for a higher one. */
export const quotaAdvice = {
  contacts: 'Delete contacts that you no longer need.',
  templates: 'Delete templates that you no longer need.',
  content_megabytes:
    'Content items, emails, what each send keeps of its email, audiences and notes count. Delete items, or emails and campaigns that are over: these are free again 30 days later.',
  file_megabytes: 'Delete files that you no longer need.',
  imports: 'Wait until the oldest import is 24 hours old.',
  images: 'Remove logos that you no longer need.',
  website_events:
    'Beyond it, events are dropped until midnight UTC. Send fewer custom events, or pause the website. If events are not yours, replace the token.',
  website_megabytes:
    'Beyond it, events are dropped until midnight UTC. Send shorter addresses, titles and names, fewer custom events, or pause the website. If events are not yours, replace the token.',
} as const;

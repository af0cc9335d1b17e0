/** Texts for errors of requests behind sign-in that the dashboard does not need; `common` has the rest. */
export const problems = {
  /** Error texts by stable code (docs/error-codes.md). */
  code: {
    preferences_too_large: 'Your preferences are too large to save.',
    authenticator_exists: 'You already have an authenticator app. Remove it first.',
    invalid_image: 'This file can’t be used as an image. Choose a PNG, JPEG, WebP or GIF.',
    file_too_large: 'This file is larger than 10 MB. Choose a smaller one.',
    image_too_large: 'This image is too large. Choose a smaller one.',
    too_many_organizations:
      'You already own 20 organizations, or created 10 today. Delete one, or wait until tomorrow.',
    too_many_records: 'The limit is reached. Delete some first.',
    storage_full:
      'Image storage is full: {{images.used}} of {{images.limit}} images, {{megabytes.used}} of {{megabytes.limit}} MB. Remove some logos first.',
    last_owner: 'An organization needs at least one owner. Make someone else an owner first.',
    beyond_own_rights: 'You can’t grant or revoke permissions that you don’t have yourself.',
    quota_exceeded:
      'Your organization has reached its limit for {{what}}: {{used}} of {{limit}}. The operator of this installation can raise it.',
    role_in_use: 'Members or invitations still have this role. Change their role first.',
    already_member: 'You are already a member of this organization.',
    name_taken: 'This name is already taken. Choose another one.',
    not_unique: 'Another item already has this value.',
    field_in_use: 'Audiences use this field ({{count, number}}){{names}}. Change those first.',
    field_protected: 'Contacts need this field: it can’t be changed in this way.',
    import_in_progress: 'A file is being imported into this collection. Wait until the import has ended.',
    too_many_values:
      'More than {{limit, number}} items have a value in this field: too many to change at once. Add a new field instead.',
    values_do_not_fit: 'Values of stored items don’t fit: {{count, number}}. Change those items first.',
    owner_in_use:
      'Audiences or emails of another client or brand use this ({{count, number}}){{names}}. Change those first.',
    collection_in_use: 'Audiences use this list ({{count, number}}){{names}}. Delete those first.',
    starting_collection: 'Your organization started with this list. You can empty it, but not delete it.',
    nothing_to_follow_up: 'This send already has a follow-up, or no failed messages are left.',
    send_in_progress: 'Something here is scheduled or being sent. Cancel that first.',
    campaign_archived: 'This campaign is archived. Unarchive it first.',
    send_blocked: 'This email can’t be sent yet. The checklist shows what is missing.',
    daily_limit_reached:
      'Your organization, or all of your organizations together, can reach {{limit, number}} recipients in 24 hours, and {{used, number}} are used. Wait, or ask the operator of this installation for a higher limit.',
    suppressions_changed: 'The number of suppressions has changed since you confirmed it.',
    audience_changed: 'The audience has changed since you confirmed it.',
    touchpoint_locked: 'This email is scheduled or sent and can no longer be changed.',
    template_missing: 'Choose a template first.',
    template_in_use: 'An email uses this template. Choose another one for it first.',
    filter_in_use: 'An email uses this audience. Choose another one for it first.',
    changed_elsewhere: 'Someone else changed this after you opened it.',
    validation_failed: 'A value is missing or doesn’t fit its field.',
    invalid_period: 'This period is not valid.',
    too_many_imports: 'Twenty imports are running or waiting. Wait until one of them has finished.',
    backend_failed: 'The content backend of your organization can’t be used.',
  },
  /** Reasons for `backend_failed`: see `backendFailures` in the contract. */
  backendFailure: {
    address: 'This address can’t be used. It begins with https:// and has no port.',
    private:
      'This address is in a private network. The operator of this installation can allow it (PRIVATE_HOSTS).',
    name: 'There is no public server of this name. Check the address. The operator of this installation can allow servers in a private network (PRIVATE_HOSTS).',
    refused: 'The server refuses connections. Check that your Directus is running.',
    timeout: 'The server took too long to respond.',
    certificate: 'The certificate of the server is not valid.',
    redirect: 'The server redirects to another address. Enter that one.',
    too_large: 'The response of the server is too large.',
    connection: 'The connection to the server broke.',
    paused: 'The server failed several times in a row. Wait half a minute, then try again.',
    malformed: 'What responds at this address is not a Directus. Check the address and its path.',
    status: 'The Directus has an error of its own. Its log says more.',
    busy: 'The Directus takes no more requests right now. Try again in a moment.',
    credentials: 'The Directus doesn’t accept the token. It may be wrong, expired or revoked.',
    not_allowed: 'The token has no permission for this. The Directus says: {{message}}',
    files_not_allowed:
      'The token has no permission for this on the files of your Directus. Set up Directus again in the settings of the content backend: that adds the permission. The Directus says: {{message}}',
    licence: 'The license of the Directus doesn’t allow this. It says: {{message}}',
    rejected: 'The Directus rejects this. It says: {{message}}',
    changed: 'Another content backend is connected by now, or none.',
    built_in_only: 'Only the built-in content backend can do this, and a Directus is connected.',
  },
  /** The resource that `quota_exceeded` is about, for use in its sentence. */
  quota: {
    contacts: 'contacts',
    templates: 'templates',
    content_megabytes: 'content in MB',
    imports: 'imports in 24 hours',
    images: 'images',
  },
};

import { errorTexts, quotaAdvice } from '@reachout/contract/rules/error-texts.ts';

/** Texts for errors of requests behind sign-in that the dashboard does not need; `common` has the rest. */
export const problems = {
  /** Error texts by stable code (docs/error-codes.md). */
  code: errorTexts,
  /** What the response of some adds to that text. */
  values: {
    storage_full:
      '{{images.used}} of {{images.limit}} images and {{megabytes.used}} of {{megabytes.limit}} MB are used.',
    quota_exceeded: 'Limit for {{what}}: {{used}} of {{limit}} are used.',
    field_in_use: 'In use by {{count, number}}{{names}}.',
    too_many_values: 'The limit is {{limit, number}}.',
    values_do_not_fit: 'Affected items: {{count, number}}.',
    owner_in_use: 'In use by {{count, number}}{{names}}.',
    collection_in_use: 'In use by {{count, number}}{{names}}.',
    invalid_topology: 'The loop: {{path}}.',
    transport_failed: 'It said: {{message}}',
    daily_limit_reached: '{{used, number}} of {{limit, number}} recipients are used.',
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
    file_megabytes: 'files in MB',
    imports: 'imports in 24 hours',
    images: 'images',
    website_events: 'events of a website and day',
    website_megabytes: 'MB of events of a website and day',
  },
  /** How much of a limit is used. */
  quotaUse: {
    used: '{{used}} of {{limit}}',
    near: 'The limit is almost reached.',
    reached: 'The limit is reached.',
  },
  /** What to do at this limit. */
  quotaAdvice,
};

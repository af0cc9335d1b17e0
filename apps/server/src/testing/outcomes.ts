/** The kinds of callers, in the order of the columns below. */
export const callers = [
  /** Not signed in. */
  'anonymous',
  /** The owner of another organization. */
  'stranger',
  'owner',
  'admin',
  'editor',
  'analyst',
  /** Limited to the client above the record. */
  'guest',
  /** Limited to another client of the organization. */
  'guest_elsewhere',
  /** Has a custom role without permissions. */
  'custom_role',
  /** A key of the owner with all scopes. */
  'api_key',
] as const;
export type CallerKind = (typeof callers)[number];

/**
 * The permission matrix: each operation of the contract is in one row, which lists the status for each caller. 200 stands
 * for every success, and for a conflict with the state of the sample. A test runs each operation as each caller
 * (access/permission-matrix.test.ts) and fails for an operation that is missing or listed twice.
 */
const rows: readonly (readonly [what: string, outcomes: string, operations: string])[] = [
  // anonymous stranger owner admin editor analyst guest guest_elsewhere custom_role api_key
  [
    'anybody; the token in the address is the permission of some',
    '200 200 200 200 200 200 200 200 200 200',
    `health.live health.ready
     reference.countries reference.organizationSizes reference.organizationContactTypes reference.clientContactTypes
     help.pages help.faqCategories touchpointEventTypes.list touchpointEventActions.list
     invitations.preview invitations.decline communicationPreferences.get communicationPreferences.update
     content.describeShare content.openShare`,
  ],
  [
    'a browser that opened the link of the system mailbox; none of these did',
    '404 404 404 404 404 404 404 404 404 404',
    'systemMailbox.list systemMailbox.get',
  ],
  [
    'operators of the installation; none of these is one',
    '401 403 403 403 403 403 403 403 403 403',
    `jobs.list jobs.figures jobs.retry operator.organizations operator.setOrganizationStatus operator.users
     operator.setUserStatus
     editedHelp.pages editedHelp.savePage editedHelp.deletePage editedHelp.orderPages
     editedHelp.faqCategories editedHelp.saveFaqCategory editedHelp.deleteFaqCategory editedHelp.orderFaqCategories
     editedHelp.saveFaq editedHelp.deleteFaq editedHelp.orderFaqs`,
  ],
  [
    'people, about what is theirs; a key has no user',
    '401 200 200 200 200 200 200 200 200 401',
    'me.get me.preferences organizations.list',
  ],
  [
    'people, about what is theirs; a key acts for an organization',
    '401 200 200 200 200 200 200 200 200 403',
    `start me.update me.delete me.export me.changeEmail
     me.addresses.list me.addresses.create me.addresses.update me.addresses.delete me.addresses.restore
     me.socials.list me.socials.create me.socials.update me.socials.delete
     me.replacePreferences me.changePreferences
     me.sessions me.endSession me.endOtherSessions me.apiKeys me.revokeApiKey me.revokeApiKeys me.invitations
     me.secondFactor me.startTotp me.confirmTotp me.removeTotp me.renewRecoveryCodes
     me.startPasskey me.addPasskey me.renamePasskey me.removePasskey rpc.updateUserPassword
     organizations.create invitations.accept invitations.join`,
  ],

  [
    'every member',
    '401 404 200 200 200 200 200 200 200 200',
    `organizations.get organizations.permissions organizations.setup
     organizations.addresses.list organizations.contacts.list`,
  ],
  [
    'every member, for the own person',
    '401 404 200 200 200 200 200 200 200 403',
    'members.leave apiKeys.createContentToken',
  ],
  [
    'every member: lists show guests what is theirs',
    '401 404 200 200 200 200 200 200 200 200',
    `clients.list brands.list clientsBrands.list campaigns.list campaigns.recent campaignsTouchpoints.list
     touchpoints.list touchpoints.recent sends.recent schedules.occurrences filters.list domains.list mailbox.list
     templates.list content.collections content.imports touchpointEvents.list reactions.list
     statistics.recordCounts dashboard.overview dashboard.results dashboard.emails dashboard.work dashboard.recent`,
  ],
  [
    'every member: records exist for guests of their client alone',
    '401 404 200 200 200 200 200 404 200 200',
    `clients.get clients.addresses.list clients.contacts.list clients.socials.list brands.get topics.list campaigns.get
     touchpoints.get touchpoints.getEmail websites.get websites.events websites.goals touchpointEvents.get touchpointEvents.effect touchpointEvents.matches campaigns.rehearseGraph touchpoints.review emails.picture sends.listOfTouchpoint schedules.listOfTouchpoint schedules.freeTimes schedules.listItems schedules.changes sends.get sends.receipt sends.progress
     sends.deliveries messages.get filters.get domains.get domains.checkDkim domains.checkDmarc domains.checkSpf domains.checkTracking
     campaigns.listDomains rpc.getAvailableDomains mailbox.get emails.preview templates.get templates.picture templates.starterPicture templates.preview
     content.fields content.presets content.createPreset content.items content.item content.getImport contacts.timeline
     statistics.emailMetrics statistics.emailFailureChart statistics.emailStats statistics.emailChart statistics.emailLinks statistics.emailEvents
     statistics.emailLinkMap statistics.emailProviders statistics.emailFailures statistics.emailDevices statistics.emailComparison
     statistics.emailCountries statistics.campaignFunnel statistics.websiteStats statistics.websiteMetrics
     statistics.websiteEventChart statistics.websiteChart statistics.websiteOverview statistics.websiteBreakdown
     statistics.websiteNow statistics.websiteConversions`,
  ],
  [
    'whoever edits: the view is shared',
    '401 404 200 200 200 403 403 404 403 200',
    'content.updatePreset content.deletePreset',
  ],
  [
    'members but guests',
    '401 404 200 200 200 200 403 403 200 200',
    'consent.list consent.get suppressions.list suppressions.lifts dataRequests.list contacts.notes content.files content.file storage.createSignedUrl organizations.quotas signUpForms.list signUpForms.get signUpForms.versions signUpForms.proof',
  ],
  [
    'every member: guests name records of their clients alone',
    '401 404 200 200 200 200 200 422 200 200',
    'filters.count',
  ],
  [
    'members but guests, and no key',
    '401 404 200 200 200 200 403 403 200 403',
    'members.list organizationRoles.list invitations.list apiKeys.list auditLog.list',
  ],

  [
    'whoever edits',
    '401 404 200 200 200 403 403 403 403 200',
    `organizations.trash
     clients.create clients.update clients.delete clients.restore
     clients.addresses.create clients.addresses.update clients.addresses.delete clients.addresses.restore
     clients.contacts.create clients.contacts.update clients.contacts.delete clients.contacts.restore
     clients.socials.create clients.socials.update clients.socials.delete
     brands.create brands.update brands.delete brands.restore topics.create topics.update topics.delete
     campaigns.create campaigns.duplicate campaigns.update campaigns.setDomains campaigns.unarchive campaigns.delete campaigns.restore
     touchpoints.create touchpoints.duplicate touchpoints.update touchpoints.unarchive touchpoints.delete
     touchpoints.restore
     touchpoints.updateEmail
     websites.update websites.rotateToken websites.start websites.pause
     websites.createGoal websites.updateGoal websites.deleteGoal
     rpc.createTouchpoint
     campaigns.startGraph touchpointEvents.create touchpointEvents.update touchpointEvents.delete
     touchpointEvents.createListener touchpointEvents.updateListener touchpointEvents.deleteListener reactions.cancel
     schedules.create schedules.queueItems schedules.preview schedules.confirm schedules.update schedules.delete schedules.pauseCampaign schedules.resumeCampaign
     schedules.pauseTouchpoint schedules.resumeTouchpoint
     sends.start sends.pause sends.resume sends.cancel sends.followUp sends.resolveUncertain
     messages.create emails.test
     filters.create filters.duplicate filters.update filters.delete
     templates.create templates.duplicate templates.update templates.delete
     content.createCollection content.updateCollection content.deleteCollection
     content.createField content.updateField content.deleteField
     content.createItem content.updateItem content.updateItems content.deleteItem content.deleteItems
     contacts.addNote contacts.deleteNote
     content.updateFile content.deleteFile storage.deleteFiles content.shares content.createShare content.deleteShare
     content.startImport content.cancelImport`,
  ],
  [
    'whoever may change consent, also by a key with that scope',
    '401 404 200 200 200 403 403 403 403 200',
    'suppressions.lift suppressions.import signUpForms.create signUpForms.delete',
  ],
  [
    'whoever may change consent: a person, who says why, and no key',
    '401 404 200 200 200 403 403 403 403 403',
    'consent.unsubscribe consent.resubscribe consent.chooseTopic consent.pause dataRequests.retry dataRequests.complete signUpForms.update',
  ],
  [
    'whoever runs the organization; no key changes who may do what',
    '401 404 200 200 403 403 403 403 403 403',
    `organizations.update
     organizations.addresses.create organizations.addresses.update organizations.addresses.delete
     organizations.addresses.restore
     organizations.contacts.create organizations.contacts.update organizations.contacts.delete
     organizations.contacts.restore
     organizations.requireSecondFactor
     members.update members.remove organizationRoles.create organizationRoles.update organizationRoles.delete
     invitations.create invitations.resend invitations.cancel
     invitations.getLink invitations.renewLink invitations.removeLink
     apiKeys.create apiKeys.revoke
     contentBackend.get contentBackend.connect contentBackend.check contentBackend.setUp contentBackend.disconnect
     contentBackend.copies contentBackend.retryCopies
     transports.list transports.create transports.update transports.delete transports.check transports.test transports.choose
     transports.setElasticEmailKey transports.deleteElasticEmailKey
     domains.create domains.update domains.delete domains.rotateKeys`,
  ],
  ['owners alone', '401 404 200 403 403 403 403 403 403 403', 'organizations.delete'],
];

export interface Outcome {
  operation: string;
  what: string;
  statusOf: Record<CallerKind, number>;
}

/** One entry per operation, in the order of the table. */
export const outcomes: readonly Outcome[] = rows.flatMap(([what, statuses, operations]) => {
  const columns = statuses.split(' ').map(Number);
  if (columns.length !== callers.length) throw new Error(`A column is missing: ${what}`);
  const statusOf = Object.fromEntries(
    callers.map((caller, index) => [caller, columns[index]]),
  ) as Outcome['statusOf'];
  return operations
    .trim()
    .split(/\s+/)
    .map((operation) => ({ operation, what, statusOf }));
});

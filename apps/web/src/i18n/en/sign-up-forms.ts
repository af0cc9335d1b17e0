/** Texts of sign-up forms. */
export const signUpForms = {
  whatOne: 'The sign-up form',
  whatFields: 'The fields of the collection',
  new: 'New sign-up form',
  create: 'Create form',
  nameHint: 'Only members see it.',
  collection: 'Contacts go to',
  collectionHint: 'People who confirm become contacts there. It can’t be changed later.',
  noCollection: 'No collection of contacts can be used by this brand.',
  language: 'Language of the form',
  languageHint: 'Of the page and of the email that asks to confirm.',
  created: 'Form created',
  empty: {
    body: 'With a form, people sign up for email of this brand by themselves. They confirm by email, and what they agreed to is kept as a proof.',
  },
  unconfirmed: 'Unconfirmed',
  counts: '{{confirmed}} confirmed, {{unconfirmed}} unconfirmed',
  unwritten_one: '1 confirmed contact is not in the collection yet. It is tried again for about a day.',
  unwritten_other:
    '{{count, number}} confirmed contacts are not in the collection yet. They are tried again for about a day.',
  failed_one: '1 confirmed contact is not in the collection and is not tried again. Add it yourself.',
  failed_other:
    '{{count, number}} confirmed contacts are not in the collection and are not tried again. Add them yourself.',
  activate: 'Activate',
  deactivate: 'Deactivate',
  activated: 'The form takes sign-ups again',
  deactivated: 'The form takes no more sign-ups',
  inactiveNote: 'This form takes no sign-ups. Unconfirmed ones can still be confirmed.',
  deleteTitle: 'Delete the form “{{name}}”?',
  deleteBody:
    'The page and all embedded forms stop working at once. Contacts and the proofs of confirmed sign-ups stay. This can’t be undone.',
  deleted: 'Form deleted',
  networkLimitHint:
    'For an event, an office or a school, where many people share one network. Without a number, the limit of this installation applies.',
  details: 'Form',
  titleHint: 'The heading of the page, and in the email that asks to confirm.',
  fields: {
    hint: 'The email address is always asked for. Ask only for what you need.',
    labelOf: 'Label of “{{field}}”',
    requiredOf: '“{{field}}” is required',
    add: 'Add a field',
    none: 'No further fields in this collection.',
    missing: '{{field}}: no longer in the collection',
  },
  topics: {
    hint: 'People choose among these when they sign up.',
    none: 'This brand has no topics.',
  },
  tracking: {
    title: 'Measuring',
    label: 'Ask whether opens and clicks may be measured',
    hint: 'As a separate checkbox, not ticked in advance.',
    everyone: 'The form does not ask: emails of this brand are measured for everyone.',
    nobody: 'The form does not ask: emails of this brand are not measured.',
  },
  consent: {
    title: 'Consent',
    label: 'What people agree to',
    hint: 'Shown right above the button. It is stored with each sign-up.',
    versionNote:
      'This is version {{version, number}}. A change of title, fields, topics, language or this text makes a new version. People who signed up before keep the version they agreed to.',
    newVersion: 'Saving makes version {{version, number}}.',
  },
  share: {
    linkHint: 'The public page of the form. It needs no website.',
    open: 'Open page',
    embed: 'Embed in a website',
    embedHint:
      'Plain HTML without a script, which works on every website. Style it as you like, but keep the names of the inputs.',
    copyEmbed: 'Copy HTML',
    policyHint: 'If the website has a Content Security Policy, allow this:',
    older:
      'It has the texts of version {{version, number}}. Copies of older versions keep working, with their own texts.',
  },
  versions: {
    title: 'Versions',
    what: 'The versions',
    hint: 'Each sign-up names the version that the person agreed to.',
    by: '{{at}}, by {{name}}',
    tracking: 'Asks about measuring',
    more: 'Show all {{count, number}} versions',
  },
  preview: {
    hint: 'The public page as it is stored.',
    closed: 'The page says that the form is closed.',
    unsaved: 'Your changes appear here once they are saved.',
    what: 'The preview',
  },
};

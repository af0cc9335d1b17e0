import { roleHints } from './role-hints.ts';

export const invitations = {
  title: 'Invitation',
  what: 'The invitation',
  invited: '{{name}} invites you to {{organization}}',
  invitedPlain: 'You are invited to {{organization}}',
  role: 'Your role will be “{{role}}”.',
  roles: roleHints,
  sentTo: 'Sent to {{email}}',
  join: 'Join',
  as: 'You are signed in as {{email}}.',
  switch: 'Use another account',
  signInToAccept: 'Sign in to accept',
  signInToJoin: 'Sign in to join',
  signUp: 'Create an account',
  signedOutHint: 'You’ll return here afterward.',
  joinAs: 'Choose your name and a password to join as {{email}}.',
  joinNamed: 'Join {{organization}}',
  entering: 'Welcome',
  signUpClosed: 'No new accounts can be created here. Ask the operator of this installation if you need one.',
  declineTitle: 'Decline this invitation?',
  declineBody: 'The link will stop working. To join later, you need a new invitation.',
  other: {
    title: 'This invitation is for another address',
    body: 'It was sent to {{masked}}. You are signed in as {{email}}.',
    action: 'Sign in with the invited address',
  },
  expired: {
    title: 'This invitation has expired',
    body: 'Ask {{name}} to send it again.',
    bodyPlain: 'Ask the person who invited you to send it again.',
  },
  cancelled: {
    title: 'This invitation was cancelled',
    body: 'If you think this is a mistake, ask the person who invited you.',
  },
  declined: { title: 'You declined this invitation', body: 'To join, ask for a new invitation.' },
  accepted: {
    title: 'This invitation was already accepted',
    body: 'If this was you, you are all set.',
  },
  usedUp: {
    title: 'This link has been used up',
    body: 'It was limited to a certain number of people. Ask for a new link.',
  },
  member: { title: 'You are already a member of {{organization}}', body: 'There is nothing left to do.' },
  unknown: {
    title: 'Invitation not found',
    body: 'The link may be incomplete, or a newer invitation has replaced this one. Use the latest email, or ask the person who invited you.',
  },
  toOrganizations: 'My organizations',
};

/** Texts of the pages before an organization is open. */
export const onboarding = {
  invitations: {
    title: 'Invitations for you',
    what: 'Your invitations',
    as: 'Role: {{role}}',
    asBy: 'Role: {{role}}. Invited by {{name}}.',
    acceptOf: 'Accept invitation from {{name}}',
    declineOf: 'Decline invitation from {{name}}',
    declined: 'Invitation from {{name}} declined',
  },
  welcome: {
    step: 'Step {{at}} of {{of}}',
    steps: {
      organization: 'Your organization',
      team: 'Invite your team',
      done: 'Ready to start',
    },
    skip: 'Skip',
    teamHint: 'They’ll get an email with a link. You can also do this later in Settings.',
    doneHint: 'These are the next steps. You’ll find them on the dashboard.',
    firstEmail: 'Write your first email',
    leftOff: 'You were setting up “{{name}}”.',
  },
  empty: {
    title: 'No organizations yet',
    body: 'Create one, or open the link in your invitation.',
  },
};

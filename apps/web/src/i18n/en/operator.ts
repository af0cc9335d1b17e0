export const operator = {
  navigation: 'Installation',
  entries: { jobs: 'Background jobs', organizations: 'Organizations', users: 'Users', help: 'Help' },
  denied:
    'Only operators of this installation can open this page. They are listed by email address in the OPERATORS setting.',
  members: 'Members',
  change: 'Change status',
  changed: 'Status changed',
  reasonHint: 'Those concerned get it by email.',
  reasonNeeded: 'Give a reason.',
  organizations: {
    title: 'Organizations',
    intro: 'All organizations of this installation, newest first.',
    empty: { body: 'Nobody has created one yet.' },
    hints: {
      active: 'Can be used without limits. Sends that were stopped go on.',
      suspended: 'Can be read, but not changed. Nothing is sent.',
      inactive: 'Nobody can open it. Nothing is sent, and its websites are not tracked.',
    },
  },
  users: {
    title: 'Users',
    intro: 'All users of this installation, newest first.',
    search: 'Search names and addresses',
    empty: { body: 'Nobody has signed up yet.' },
    hints: {
      active: 'Can sign in.',
      suspended: 'Is signed out everywhere and cannot sign in. API keys of the user stop working.',
    },
  },
};

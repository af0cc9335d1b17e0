export const dashboard = {
  title: 'Dashboard',
  recentCampaigns: 'Recent campaigns',
  recentTouchpoints: 'Recent touchpoints',
  recentSends: 'Recent sends',
  running: 'Being sent now',
  noCampaigns: 'Campaigns you work on appear here.',
  noTouchpoints: 'The newest emails appear here.',
  noSends: 'Nothing has been sent yet.',
  all: 'Show all',
  setup: {
    title: 'Get ready to send',
    progress: '{{done}} of {{total}} done. Each task is ticked as soon as it is done.',
    hide: 'Hide',
    show: 'Show what is still to set up',
    done: 'done',
    tasks: {
      profile: {
        name: 'Complete your organization',
        why: 'Size and country, for bills and imprints. 1 minute.',
      },
      team: { name: 'Invite your team', why: 'Colleagues and clients see what you let them see. 2 minutes.' },
      brand: {
        name: 'Add a client and a brand',
        why: 'Every campaign is sent in the name of a brand. 1 minute.',
      },
      contacts: { name: 'Import contacts', why: 'A CSV file is enough. 5 minutes.' },
      audience: { name: 'Save an audience', why: 'The people an email goes to, chosen by rules. 3 minutes.' },
      touchpoint: {
        name: 'Send your first email',
        why: 'With a template, a preview and a review before it goes. 10 minutes.',
      },
    },
  },
  sentOf: '{{sent}} of {{total}} sent',
};

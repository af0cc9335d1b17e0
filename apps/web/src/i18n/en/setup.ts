/** Texts of the checklist before the first send. */
export const setup = {
  title: 'Get ready to send',
  progress: '{{done}} of {{total}} done',
  hide: 'Hide',
  show: 'Show setup checklist',
  done: 'done',
  tasks: {
    profile: {
      name: 'Complete your organization',
      why: 'Size and country, for invoices and legal notices. 1 minute.',
    },
    team: {
      name: 'Invite your team',
      why: 'Colleagues and clients see only what their role allows. 2 minutes.',
    },
    brand: {
      name: 'Add a client and a brand',
      why: 'Every campaign belongs to a brand. 1 minute.',
    },
    contacts: {
      name: 'Import contacts',
      why: 'A CSV file is enough. 5 minutes.',
      whyDirectus: 'Into a collection of contacts in your Directus. 5 minutes.',
    },
    audience: { name: 'Save an audience', why: 'Choose by rules who receives an email. 3 minutes.' },
    touchpoint: {
      name: 'Send your first email',
      why: 'With a template, a preview and a final review. 10 minutes.',
    },
  },
};

export const campaigns = {
  new: 'New campaign',
  name: 'Campaign name',
  brandHint: 'Everything in this campaign is sent for this brand.',
  brandMissing: 'Choose a brand.',
  views: { all: 'All', draft: 'Drafts', scheduled: 'Scheduled', archived: 'Archived' },
  empty: {
    body: 'A campaign groups the emails and websites that share a goal. Start with a name and a brand.',
    reader: 'Campaigns appear here with their touchpoints and results once they are created.',
  },
  created: 'Campaign created',
  rename: 'Rename campaign',
  renamed: 'Renamed',
  deletedHere: 'Campaign “{{name}}” deleted.',
  addTouchpoint: 'Add touchpoint',
  emptyTouchpoints: {
    title: 'No touchpoints in this campaign yet',
    body: 'A touchpoint is an email or website. Create one to get started.',
    reader: 'Touchpoints of this campaign appear here once they are created.',
  },
};

/** Part of `common`; the dashboard does not need them, nor the frame around all pages. */
export const sharedByPages = {
  pagination: {
    label: 'Pages',
    previous: 'Previous',
    next: 'Next',
    page: 'Page {{page}}',
    of: 'Page {{page}} of {{total}}',
  },
  owner: {
    label: 'Belongs to',
    hint: 'Only its brands can use it. What belongs to all clients is shared.',
    shared: 'All clients',
    ofClient: '{{name}} (all brands)',
    change: 'Name and owner',
  },
  image: {
    choose: 'Choose image',
    replace: 'Choose another',
    remove: 'Remove',
    rule: 'PNG, JPEG, WebP or GIF, up to {{megabytes}} MB.',
  },
};

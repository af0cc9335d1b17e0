/** Part of `common`; the dashboard does not need them, nor the frame around all pages. */
export const sharedByPages = {
  pagination: {
    previous: 'Previous',
    next: 'Next',
    page: 'Page {{page}}',
    of: 'Page {{page}} of {{total}}',
  },
  /** Of a list that has no texts of its own: made of what its records are called. */
  records: {
    what: 'The {{records, lowerCase}}',
    search: 'Search {{records, lowerCase}}',
    noMatch: 'No {{records, lowerCase}} match these filters.',
    noMatchSearch: 'No {{records, lowerCase}} match “{{search}}”.',
    empty: { title: 'No {{records, lowerCase}} yet' },
    deleteTitle: 'Delete “{{name}}” permanently?',
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
    rule: 'PNG, JPEG, WebP or GIF, up to {{megabytes}} MB.',
  },
};

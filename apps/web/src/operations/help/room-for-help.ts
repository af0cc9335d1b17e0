/** Windows with room for the help beside the page, as a media query. */
export const roomForHelp = '(min-width: 90em)';

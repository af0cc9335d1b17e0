/** How server and editor compile MJML, so that an author sees what is sent. */
export const mjmlOptions = {
  ignoreIncludes: true,
  useMjmlConfigOptions: false,
  keepComments: false,
  minify: false,
  beautify: false,
  validationLevel: 'soft',
  // MJML loads Google's fonts by default, which reveals to a third party who reads the email.
  fonts: {},
} as const;

/** Elements that accept only elements, and `mj-raw`. */
export const mjmlContainers: ReadonlySet<string> = new Set([
  'mj-body',
  'mj-wrapper',
  'mj-section',
  'mj-group',
  'mj-column',
  'mj-hero',
  'mj-navbar',
  'mj-social',
  'mj-accordion',
  'mj-accordion-element',
]);

/** All elements that have elements inside. The content of all others is kept as it is, if they have any. */
export const mjmlOuterElements: ReadonlySet<string> = new Set([
  ...mjmlContainers,
  'mjml',
  'mj-head',
  'mj-attributes',
  'mj-html-attributes',
  'mj-selector',
  'mj-carousel',
]);

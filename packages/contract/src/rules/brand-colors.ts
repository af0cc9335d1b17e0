/** The available brand colors, in display order. */
export const brandColors = [
  'red',
  'orange',
  'amber',
  'olive',
  'green',
  'teal',
  'cyan',
  'blue',
  'indigo',
  'violet',
  'magenta',
  'slate',
] as const;
export type BrandColor = (typeof brandColors)[number];

/** sRGB, as `#rrggbb`. */
export interface BrandShades {
  /** For borders, logos and buttons: 3:1 against every background of the theme. */
  fill: string;
  /** Text on `fill`: 4.5:1. */
  on_fill: string;
  /** Text on a background of the theme or on `tint`: 4.5:1. */
  text: string;
  /** Background for text. */
  tint: string;
}

/**
 * Computed in OKLCH, with different lightness for neighbors, so that any two colors of a theme are at least 0.075 apart.
 * They equal those in apps/web/src/styles/brand-colors.css; a test compares them and measures every contrast.
 */
export const brandShades: Record<BrandColor, Record<'light' | 'dark', BrandShades>> = {
  red: {
    light: { fill: '#c50220', on_fill: '#ffffff', text: '#a70119', tint: '#ffebe9' },
    dark: { fill: '#f66d67', on_fill: '#12161d', text: '#ffaba3', tint: '#502825' },
  },
  orange: {
    light: { fill: '#b95201', on_fill: '#ffffff', text: '#8d3d02', tint: '#ffece3' },
    dark: { fill: '#fd9156', on_fill: '#12161d', text: '#ffae85', tint: '#4e2b18' },
  },
  amber: {
    light: { fill: '#986b00', on_fill: '#ffffff', text: '#735103', tint: '#fbeeda' },
    dark: { fill: '#f3b94c', on_fill: '#12161d', text: '#eabc6e', tint: '#45310b' },
  },
  olive: {
    light: { fill: '#596101', on_fill: '#ffffff', text: '#575e01', tint: '#eff3dc' },
    dark: { fill: '#afbb47', on_fill: '#12161d', text: '#c2cd77', tint: '#343911' },
  },
  green: {
    light: { fill: '#0a8234', on_fill: '#ffffff', text: '#036b28', tint: '#e3f6e5' },
    dark: { fill: '#48c063', on_fill: '#12161d', text: '#92d89c', tint: '#1e3e23' },
  },
  teal: {
    light: { fill: '#016a5e', on_fill: '#ffffff', text: '#01675b', tint: '#dbf7f2' },
    dark: { fill: '#50d7c3', on_fill: '#12161d', text: '#66dbc9', tint: '#023f38' },
  },
  cyan: {
    light: { fill: '#087b97', on_fill: '#ffffff', text: '#036279', tint: '#dbf5ff' },
    dark: { fill: '#3cbbe1', on_fill: '#12161d', text: '#69d4f7', tint: '#023c4b' },
  },
  blue: {
    light: { fill: '#0365cb', on_fill: '#ffffff', text: '#0255ac', tint: '#e8f1fe' },
    dark: { fill: '#61a0f4', on_fill: '#12161d', text: '#9ec7fe', tint: '#203654' },
  },
  indigo: {
    light: { fill: '#422acc', on_fill: '#ffffff', text: '#422acc', tint: '#edeffe' },
    dark: { fill: '#7c83f7', on_fill: '#12161d', text: '#b6bffe', tint: '#2e3254' },
  },
  violet: {
    light: { fill: '#8a2eda', on_fill: '#ffffff', text: '#7603c2', tint: '#f3edfe' },
    dark: { fill: '#c39afa', on_fill: '#12161d', text: '#d2b3fe', tint: '#3c2d4f' },
  },
  magenta: {
    light: { fill: '#b11b9c', on_fill: '#ffffff', text: '#950183', tint: '#fee9f8' },
    dark: { fill: '#ee7ad7', on_fill: '#12161d', text: '#f1a9e0', tint: '#482942' },
  },
  slate: {
    light: { fill: '#465466', on_fill: '#ffffff', text: '#465466', tint: '#e7f1fe' },
    dark: { fill: '#9cacc1', on_fill: '#12161d', text: '#b5c6db', tint: '#293647' },
  },
};

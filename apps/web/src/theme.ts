import { alpha, createTheme, type CSSVariablesResolver } from '@mantine/core';

const dialogTitle = { fontSize: 'var(--mantine-font-size-lg)', fontWeight: 650 };

/** The page behind a dialog stays readable. */
const overlay = { backgroundOpacity: 0.35 };

/** Help text below a long group of check boxes would not be noticed. */
const groupOfBoxes = {
  defaultProps: { inputWrapperOrder: ['label', 'description', 'input', 'error'] },
  styles: { description: { marginBottom: 8 } },
};

/** All color contrasts are measured (WCAG AA); do not change the colors by eye. */
export const theme = createTheme({
  primaryColor: 'marine',
  primaryShade: 6,
  white: '#ffffff',
  black: '#141a23',
  // The keys red, green, yellow, gray and dark replace the library's own scales on purpose.
  colors: {
    marine: [
      '#f1f8ff',
      '#e1eefe',
      '#c5dffe',
      '#9bcaff',
      '#6cadf6',
      '#3b8de2',
      '#006ec6',
      '#025aa3',
      '#024782',
      '#013463',
    ],
    green: [
      '#f1f9f3',
      '#e0f2e4',
      '#c4e7cc',
      '#9cd6ab',
      '#6bbf84',
      '#35a35e',
      '#057c3e',
      '#046c35',
      '#025529',
      '#01401d',
    ],
    yellow: [
      '#fcf6ef',
      '#f9eada',
      '#f3d7b8',
      '#eabc88',
      '#d99b4f',
      '#be7905',
      '#975f06',
      '#7d4e00',
      '#633d01',
      '#4a2d02',
    ],
    red: [
      '#fef4f3',
      '#ffe6e4',
      '#ffcfca',
      '#ffada6',
      '#f4847d',
      '#dd5a55',
      '#be3334',
      '#a12226',
      '#801a1c',
      '#601314',
    ],
    gray: [
      '#f9fafc',
      '#f1f4f7',
      '#eaedf2',
      '#e0e4ea',
      '#a4aab3',
      '#808791',
      '#5c646f',
      '#444b55',
      '#2a313b',
      '#141a23',
    ],
    dark: [
      '#e5e8ec',
      '#c3c8ce',
      '#9fa5ae',
      '#7a818b',
      '#3d454f',
      '#323842',
      '#242b34',
      '#191e27',
      '#12161d',
      '#0c1016',
    ],
  },
  fontFamily: 'InterVariable, InterFallback, system-ui, sans-serif',
  headings: {
    fontWeight: '650',
    textWrap: 'pretty',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.33' },
      h2: { fontSize: '1.25rem', lineHeight: '1.4' },
      h3: { fontSize: '1.0625rem', lineHeight: '1.41' },
    },
  },
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '20px' },
  defaultRadius: 'sm',
  respectReducedMotion: true,
  cursorType: 'pointer',
  focusRing: 'auto',
  // Plain objects: `Menu.extend()` and similar would include every component in the first load.
  components: {
    Anchor: { defaultProps: { inherit: true } },
    Fieldset: { styles: { root: { marginInline: 0 } } },
    Text: { styles: { root: { textWrap: 'pretty' } } },
    // Help text is below its field, so that it does not separate the label from the field.
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
      styles: { label: { marginBottom: 4 }, error: { marginTop: 4 } },
    },
    CheckboxGroup: groupOfBoxes,
    RadioGroup: groupOfBoxes,
    // Only the main action of a place is filled. Labels of controls are never truncated: they wrap, and the control grows. Small
    // buttons are lower, with the same font size.
    Button: {
      defaultProps: { variant: 'default' },
      styles: {
        root: {
          fontSize: 'var(--mantine-font-size-sm)',
          display: 'inline-flex',
          alignItems: 'center',
          height: 'auto',
          minHeight: 'var(--button-height)',
          paddingBlock: 4,
        },
        inner: { flex: 1, height: 'auto' },
        label: {
          whiteSpace: 'normal',
          height: 'auto',
          lineHeight: 1.25,
          textAlign: 'center',
          overflow: 'visible',
        },
      },
    },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Badge: {
      defaultProps: { variant: 'light', radius: 'xs', tt: 'none', fw: 500 },
      styles: {
        root: { height: 'auto', minHeight: 22, fontSize: 'var(--mantine-font-size-xs)' },
        label: { overflow: 'visible', whiteSpace: 'normal' },
      },
    },
    // Words that are wider than the box are broken.
    Alert: { styles: { body: { minWidth: 0 } } },
    // Large font sizes need a second line.
    SegmentedControl: { styles: { root: { flexWrap: 'wrap', maxWidth: '100%' } } },
    // The scrolling element itself must be focusable, which only the native type supports.
    TableScrollContainer: { defaultProps: { type: 'native', role: 'region' } },
    Tabs: { defaultProps: { keepMounted: false } },
    Textarea: { defaultProps: { autosize: true } },
    Tooltip: {
      defaultProps: { openDelay: 300, events: { hover: true, focus: true, touch: false } },
    },
    // The listbox itself scrolls (global.css): a scrolling element within it would be a tab stop.
    Select: { defaultProps: { withScrollArea: false } },
    MultiSelect: { defaultProps: { withScrollArea: false } },
    Menu: {
      defaultProps: {
        shadow: 'md',
        position: 'bottom-end',
        withinPortal: true,
        // The focus starts on an item instead of an empty element, which screen readers cannot announce.
        withInitialFocusPlaceholder: false,
      },
    },
    Modal: {
      defaultProps: {
        radius: 'lg',
        centered: true,
        transitionProps: { duration: 180 },
        overlayProps: overlay,
      },
      styles: { title: dialogTitle },
    },
    Drawer: {
      defaultProps: {
        position: 'right',
        size: 480,
        transitionProps: { duration: 180 },
        overlayProps: overlay,
      },
      styles: { title: dialogTitle },
    },
  },
});

const vars = (dim: string, error: string, control: string, link: string, canvas: string, ring: string) => ({
  '--mantine-color-dimmed': dim,
  '--mantine-color-placeholder': dim,
  '--mantine-color-error': error,
  '--mantine-color-default-border': control,
  '--mantine-color-anchor': link,
  '--app-control': control,
  '--app-canvas': canvas,
  '--app-ring': ring,
});

const light = {
  ...vars('#5c646f', '#a12226', '#808791', '#025aa3', '#f9fafc', '#006ec6'),
  '--app-hairline': '#e0e4ea',
  '--app-card': '#ffffff',
  '--app-hover': '#f1f4f7',
  '--app-selected': '#f1f8ff',
  '--app-success': '#046c35',
  '--app-warning': '#7d4e00',
  '--app-danger': '#a12226',
  '--chart-delivered': '#185fc1',
  '--chart-opened': '#079fa5',
  '--chart-clicked': '#a16601',
  '--chart-visited': '#5b4bc4',
  '--chart-converted': '#2e7d32',
  '--chart-bounced': '#6a0154',
  '--chart-complained': '#880414',
  '--chart-failed': '#b3541e',
  '--chart-suppressed': '#5c646f',
};

const dark = {
  ...vars('#9fa5ae', '#f4847d', '#7a818b', '#6cadf6', '#12161d', '#6cadf6'),
  '--app-hairline': '#3d454f',
  '--app-card': '#242b34',
  '--app-hover': '#323842',
  '--app-selected': '#263548',
  '--app-success': '#6bbf84',
  '--app-warning': '#d99b4f',
  '--app-danger': '#f4847d',
  // The library's background of disabled buttons equals the card color here.
  '--mantine-color-disabled': '#323842',
  '--mantine-color-disabled-color': '#9fa5ae',
  '--chart-delivered': '#81a9ff',
  '--chart-opened': '#5deee6',
  '--chart-clicked': '#fecc97',
  '--chart-visited': '#b3a6ff',
  '--chart-converted': '#7fd08a',
  '--chart-bounced': '#9f60a9',
  '--chart-complained': '#e1554e',
  '--chart-failed': '#f0a36b',
  '--chart-suppressed': '#9fa5ae',
};

// The library's dark tints are darker than the cards below them.
const tints = Object.fromEntries(
  (['marine', 'green', 'yellow', 'red', 'gray'] as const).flatMap((name) => {
    const fill = theme.colors?.[name]?.[6] ?? '#006ec6';
    return [
      [`--mantine-color-${name}-light`, alpha(fill, 0.4)],
      [`--mantine-color-${name}-light-hover`, alpha(fill, 0.5)],
    ];
  }),
);

export const resolver: CSSVariablesResolver = () => ({ variables: {}, light, dark: { ...dark, ...tints } });

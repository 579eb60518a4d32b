import { createTheme, type Theme, type ThemeOptions } from '@mui/material/styles'

// `public/early.js` loads Inter; until then the fonts after it are shown.
const latin =
  "Inter, ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial"
const fonts: Record<string, string> = {
  zh_CN: `${latin}, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC', sans-serif`,
  zh_HK: `${latin}, 'PingFang HK', 'Microsoft JhengHei', 'Noto Sans CJK HK', 'Noto Sans CJK TC', sans-serif`,
  ja_JP: `${latin}, 'Hiragino Sans', 'Yu Gothic UI', 'Noto Sans CJK JP', 'Noto Sans JP', sans-serif`,
  en_US: `${latin}, 'Noto Sans CJK SC', sans-serif`,
}
export const mono = "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace"

const light = {
  primary: { main: '#0b7a5a', dark: '#086047', light: '#d9f0e7', contrastText: '#ffffff' },
  success: { main: '#1a7f3c' },
  warning: { main: '#9a5b00' },
  error: { main: '#c0322b' },
  info: { main: '#1f63c4' },
  background: { default: '#f7f8f8', paper: '#ffffff' },
  text: { primary: '#171a1c', secondary: '#586069', disabled: '#8b939b' },
  divider: '#e3e6e8',
}
const dark = {
  primary: { main: '#45c79a', dark: '#6ad6b0', light: '#15352b', contrastText: '#07150f' },
  success: { main: '#56c271' },
  warning: { main: '#e0a43a' },
  error: { main: '#f2796f' },
  info: { main: '#79acf5' },
  background: { default: '#121417', paper: '#1a1d21' },
  text: { primary: '#eceef0', secondary: '#a2aab2', disabled: '#6d757d' },
  divider: '#2c3136',
}

const floating = ({ theme }: { theme: Theme }) => ({
  border: `1px solid ${theme.vars?.palette.divider}`,
  boxShadow: '0 12px 40px -8px rgb(0 0 0 / 0.25)',
})

const accent = 'var(--mui-palette-primary-main)'
const ring = (offset: number) => ({
  outline: `2px solid ${accent} !important`,
  outlineOffset: `${offset}px !important`,
})

/**
 * The ring of everything that has the keyboard's focus. The kit sets `outline: 0` on its components, with the same
 * specificity and after these rules, and its ripple is switched off: only `!important` wins over all of them.
 */
const focusRings = {
  // Inside its element, so that no scrolling or rounded frame cuts it off.
  ':focus-visible': ring(-2),
  // An element in the colour of the ring has it around itself; so has a text, which a ring inside would touch.
  '.MuiButton-contained:focus-visible, [role=switch]:focus-visible': ring(2),
  '.MuiButton-outlined:not(.MuiButton-colorInherit):focus-visible': ring(2),
  '[role=radio]:focus-visible, [aria-pressed=true]:not(.MuiToggleButton-root, .MuiButton-root):focus-visible':
    ring(2),
  // A picture covers what is inside its button.
  ':has(> .MuiAvatar-root):focus-visible': ring(2),
  'a.MuiLink-root:focus-visible, a:not([class]):focus-visible': ring(1),
  // A text that is cut off would cut off the ring of its link too.
  '.MuiTypography-noWrap:has(> a:focus-visible), a.MuiTypography-noWrap:focus-visible, :has(> a.MuiTypography-noWrap:focus-visible)':
    {
      overflow: 'clip',
      overflowClipMargin: 4,
    },
  // The frame of a field has the ring, not the bare input in it.
  '.MuiInputBase-input:focus-visible': { outline: 'none !important' },
  '.MuiInputBase-root:has(.MuiInputBase-input:focus-visible)': ring(-2),
  // A hidden input shows its focus on what stands for it.
  'label:has(> input[type=radio]:focus-visible)': ring(1),
  '.MuiButtonBase-root:has(> input:focus-visible)': ring(-2),
  // Cells paint over the outline of their row.
  'tr:focus-visible > td': { boxShadow: `inset 0 2px ${accent}, inset 0 -2px ${accent}` },
  'tr:focus-visible > td:last-of-type': {
    boxShadow: `inset 0 2px ${accent}, inset 0 -2px ${accent}, inset -2px 0 ${accent}`,
  },
  // They take the focus for screen readers, not for keys.
  'main:focus, h1:focus, .MuiDialog-container:focus, [role=dialog]:focus, [role=alertdialog]:focus':
    {
      outline: 'none !important',
    },
}

const baseline = {
  // An element with the focus must not be scrolled under the header, or under the bar that saves a form.
  html: { scrollPaddingTop: 72, scrollPaddingBottom: 80 },
  body: { fontVariantNumeric: 'tabular-nums', WebkitFontSmoothing: 'antialiased' },
  ...focusRings,
  '@media (prefers-reduced-motion: reduce)': {
    '*, *::before, *::after': {
      animationDuration: '0.01ms !important',
      animationIterationCount: '1 !important',
      transitionDuration: '0.01ms !important',
      scrollBehavior: 'auto !important',
    },
  },
}

const components: ThemeOptions['components'] = {
  MuiCssBaseline: { styleOverrides: baseline },
  MuiButtonBase: { defaultProps: { disableRipple: true } },
  MuiButton: {
    defaultProps: { disableElevation: true },
    styleOverrides: {
      // A button must not become narrower than its label.
      root: { borderRadius: 8, minHeight: 36, whiteSpace: 'nowrap', flexShrink: 0 },
      outlined: ({ theme }) => ({
        '&.MuiButton-colorInherit': {
          borderColor: theme.vars.palette.divider,
          backgroundColor: theme.vars.palette.background.paper,
        },
      }),
    },
  },
  MuiToggleButton: { styleOverrides: { root: { borderRadius: 8, textTransform: 'none' } } },
  MuiCheckbox: { styleOverrides: { root: { borderRadius: 8 } } },
  MuiRadio: { styleOverrides: { root: { borderRadius: 8 } } },
  MuiIconButton: { styleOverrides: { root: { borderRadius: 8 } } },
  MuiPaper: { styleOverrides: { root: { backgroundImage: 'none' } } },
  MuiOutlinedInput: {
    styleOverrides: {
      root: ({ theme }) => ({
        borderRadius: 8,
        backgroundColor: theme.vars.palette.background.paper,
        '&.MuiInputBase-adornedStart .MuiOutlinedInput-input': { paddingLeft: 0 },
        '&.MuiInputBase-adornedEnd .MuiOutlinedInput-input': { paddingRight: 0 },
        '& .MuiOutlinedInput-notchedOutline': { borderColor: theme.vars.palette.divider },
      }),
      input: { padding: '8.5px 12px', height: 'auto' },
      multiline: { padding: '8.5px 12px', '& .MuiOutlinedInput-input': { padding: 0 } },
    },
  },
  MuiSelect: { styleOverrides: { select: { minHeight: 'auto' } } },
  MuiMenu: { styleOverrides: { paper: floating } },
  MuiPopover: { styleOverrides: { paper: floating } },
  MuiMenuItem: { styleOverrides: { root: { fontSize: 14, minHeight: 36 } } },
  MuiDialog: { styleOverrides: { paper: floating } },
  MuiDialogTitle: {
    styleOverrides: { root: { fontSize: 16, fontWeight: 600, padding: '16px 24px' } },
  },
  MuiTooltip: {
    defaultProps: { enterDelay: 400, arrow: false },
    styleOverrides: { tooltip: { fontSize: 12, borderRadius: 6, maxWidth: 360 } },
  },
  MuiTableCell: {
    styleOverrides: {
      root: ({ theme }) => ({ borderColor: theme.vars.palette.divider, fontSize: 13 }),
      sizeSmall: {
        paddingInline: 12,
        '&:first-of-type': { paddingLeft: 16 },
        '&:last-of-type': { paddingRight: 16 },
      },
      paddingCheckbox: { paddingInline: '8px !important' },
      head: ({ theme }) => ({
        fontSize: 12,
        fontWeight: 500,
        color: theme.vars.palette.text.secondary,
        backgroundColor: theme.vars.palette.background.paper,
      }),
    },
  },
  MuiChip: { styleOverrides: { root: { borderRadius: 6, fontSize: 12 } } },
  MuiFormHelperText: { styleOverrides: { root: { marginInline: 0 } } },
  MuiAlert: { styleOverrides: { root: { borderRadius: 8, alignItems: 'center' } } },
}

/** The MUI theme of the console. Only floating surfaces, such as menus and dialogs, have a shadow. */
export const makeTheme = (language: string) =>
  createTheme({
    cssVariables: { colorSchemeSelector: 'data-theme' },
    colorSchemes: { light: { palette: light }, dark: { palette: dark } },
    shape: { borderRadius: 12 },
    breakpoints: { values: { xs: 0, sm: 600, md: 900, lg: 1200, xl: 1536 } },
    typography: {
      fontFamily: fonts[language] ?? fonts.zh_CN ?? latin,
      fontWeightBold: 600,
      h1: { fontSize: 28, fontWeight: 600, lineHeight: 1.25, letterSpacing: '-0.01em' },
      h2: { fontSize: 20, fontWeight: 600, lineHeight: 1.35 },
      h3: { fontSize: 16, fontWeight: 600, lineHeight: 1.4 },
      body1: { fontSize: 14, lineHeight: 1.55 },
      body2: { fontSize: 13, lineHeight: 1.5 },
      caption: { fontSize: 12, lineHeight: 1.45 },
      button: { textTransform: 'none', fontWeight: 500, fontSize: 14 },
    },
    transitions: { duration: { enteringScreen: 225, leavingScreen: 195 } },
    components,
  })

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { icons } from './icons.ts'
import { preloads } from './preloads.ts'

const server = process.env.HUB_SERVER ?? 'http://localhost:3000'

/** Replaces a module by its exports, computed once in the build: what it imports does not travel to the browser. */
const evaluated = (file: RegExp): Plugin => ({
  name: 'evaluated',
  apply: 'build',
  enforce: 'pre',
  load: {
    filter: { id: file },
    handler: async id => {
      const exports = Object.entries(await import(pathToFileURL(id).href))
      return exports
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
        .join('\n')
    },
  },
})

/** Loads the kit's positioning of tooltips and lists when the first of them opens. */
const lazyPopper: Plugin = {
  name: 'lazy-popper',
  apply: 'build',
  enforce: 'pre',
  resolveId: {
    filter: { id: /^@popperjs\/core$/ },
    handler: () => join(import.meta.dirname, 'src/ui/feedback/lazy-popper.ts'),
  },
}

/** Leaves Zod's writers of JSON schemas out: every schema refers to them, but only the server calls them. */
const withoutJsonSchemas: Plugin = {
  name: 'without-json-schemas',
  apply: 'build',
  enforce: 'pre',
  load: {
    filter: { id: /\/zod\/v4\/core\/(to-json-schema|json-schema-processors)\.js$/ },
    handler: async id => {
      const names = Object.keys(await import(pathToFileURL(id).href))
      return [
        `const absent = () => { throw new Error('The console writes no JSON schemas.') }`,
        `const make = () => absent`,
        ...names.map(name => `export { make as ${name} }`),
      ].join('\n')
    },
  },
}

const basics =
  /\/@mui\/material\/(Stack|Link|Container|Divider|FormControlLabel|FormGroup|Table|TableBody|TableCell|TableHead|TableRow)\/|\/ui\/(card|page|stored-draft|use-action|use-address|feedback\/(?!toast)|form\/names\.ts|values\/(copy|code-block|badge|format|lines|meter))|\/locales\/nest|\/@mui\/utils\/visuallyHidden\/|virtual:icons\/(add|delete)$/
const layout =
  /\/layout\/console-layout\.tsx|\/form\/dialog\/form-dialog\.tsx|\/contract\/src\/(site-address|public-pages)\.ts|\/domain\/(server-address|chat-links|external-link-confirm|quota|marks\/)|\/(ToggleButton|usePreviousProps|svg-icons)/

// With the schemas, because every page with controls validates. Of the contract only the parts that many resources share:
// each page brings its own resource.
const controls =
  /\/ui\/form\/(control|names)|\/ui\/crud\/row-actions|\/@mui\/material\/Checkbox\/|virtual:icons\/edit$|\/domain\/(points-input|limits|integration-config)|\/node_modules\/zod\/|\/contract\/src\/(resource|innermost|limits|usage-classes|users|avatar|sessions|profile|second-factor|sign-in|top-up-price|money-bounds|settings\/(fields|analytics))\.ts/

export default defineConfig({
  plugins: [
    react(),
    icons(),
    evaluated(/\/console\/src\/api\/(endpoints|fault-codes|query-fields)\.ts$/),
    lazyPopper,
    withoutJsonSchemas,
    preloads(),
  ],
  server: {
    // The Host stays the browser's: the server compares it with Origin.
    proxy: Object.fromEntries(
      ['/api', '/v1', '/healthz', '/manifest.webmanifest'].map(path => [
        path,
        { target: server, changeOrigin: false },
      ]),
    ),
  },
  build: {
    target: 'es2023',
    rolldownOptions: {
      // The kit and the contract are one import each; a page must not load the parts that it does not use.
      treeshake: {
        moduleSideEffects: id => !/\/(console\/src\/(ui|domain)|contract\/src)\//.test(id),
      },
      output: {
        // Few chunks: each costs a request, and small files compress badly. Groups above take what groups below share.
        codeSplitting: {
          groups: [
            { name: 'base', tags: ['$initial'], priority: 7 },
            { name: 'basics', test: basics, priority: 6 },
            {
              name: 'fields',
              test: /\/ui\/form\/(field|text-control|time\/input)\.tsx|\/@mui\/material\/Select\//,
              priority: 5,
            },
            { name: 'hook-form', test: /\/react-hook-form\//, priority: 5 },
            { name: 'layout', test: layout, priority: 3 },
            { name: 'controls', test: controls, priority: 2 },
            { name: 'tables', test: /\/ui\/(table|crud)\//, priority: 1 },
            { name: 'charts', test: /\/ui\/content\/plot/ },
            { name: 'figures', test: /\/ui\/(content\/chart\.|values\/tile|period-bar)/ },
            { name: 'forms', test: /\/ui\/form\/(?!time\/picker)/ },
            {
              name: 'pricing',
              test: /\/domain\/(?!sign-in|sessions|site\/|notifications|marks|calls|model-info|list-source)|\/contract\/src\/(logs|virtual-models)\.ts/,
            },
            // Parts of the pages on which visitors sign in.
            {
              name: 'sign-in',
              test: /\/layout\/session\/(bot-check|email-code|plain-field|form-footer|second-step-form|sign-in-form|passkey-button|other-ways\/(?!\w*dialog))|\/domain\/sign-in\/passkeys|\/features\/sign-in\/(frame|invite-code|third-party-lazy)/,
            },
            {
              name: 'notifications',
              test: /\/domain\/notifications\/|\/contract\/src\/(own-)?notifications\.ts/,
            },
            { name: 'tokens', test: /\/features\/tokens\/(columns|fields|forms)/ },
            { name: 'pay', test: /\/features\/profile\/pay\// },
            {
              name: 'profile',
              test: /\/features\/profile\/(page|passkeys|account)\.tsx|\/features\/profile\/bindings\/|\/domain\/sessions|\/contract\/src\/passkeys\.ts/,
            },
            // Pages without tabs do not load them with the icons that they share.
            {
              name: 'tabs',
              test: /\/@mui\/material\/(Tab|Tabs|TabScrollButton)\//,
            },
            { name: 'radios', test: /\/@mui\/material\/Radio(Group)?\// },
            {
              name: 'channel',
              test: /\/features\/channels\/(status|queries|type-name|form\/stored-text)/,
            },
            {
              name: 'channel-form',
              test: /\/features\/channels\/form\/(?!stored-text)|\/contract\/src\/channel-fields\.ts/,
            },
            { name: 'channel-tests', test: /\/features\/channels\/(testing|detail\/models)\// },
            {
              name: 'extras',
              test: /\/@mui\/material\/|virtual:icons\//,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
})

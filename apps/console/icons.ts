import { icons as drawings } from '@iconify-json/ic'
import type { Plugin } from 'vite'

const prefix = 'virtual:icons/'
const loaded = `\0${prefix}`

const camelCase = (name: string) =>
  name.replace(/-([a-z])/g, (_, initial: string) => initial.toUpperCase())

/** Translates an element such as `<circle cx="12"/>`; the component that holds it sets its colour. */
const elementOf = (tag: string, attributes: string, key: number): string => {
  const pairs = [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)]
    .filter(([, name, value]) => name !== 'fill' || value !== 'currentColor')
    .map(([, name, value]) => [camelCase(name!), value])
  return `jsx('${tag}', ${JSON.stringify(Object.fromEntries(pairs))}, ${key})`
}

const moduleOf = (name: string): string => {
  const body = drawings.icons[`outline-${name}`]?.body
  if (!body) throw new Error(`@iconify-json/ic has no icon outline-${name}.`)
  const element = /<(\w+)((?: [\w-]+="[^"]*")*)\/>/g
  if (body.replace(element, '')) throw new Error(`The icon ${name} has elements within elements.`)
  const elements = [...body.matchAll(element)].map(([, tag, attributes], at) =>
    elementOf(tag!, attributes!, at),
  )
  return `import { createSvgIcon } from '@mui/material/SvgIcon'
import { jsx } from 'react/jsx-runtime'
export default /*#__PURE__*/ createSvgIcon([/*#__PURE__*/ ${elements.join(', /*#__PURE__*/ ')}], '${name}')`
}

/**
 * Makes each `virtual:icons/add` a component of the kit that draws Google's outlined Material icon `add`. The kit's own
 * package holds the same icons in files of 172 MiB.
 */
export const icons = (): Plugin => ({
  name: 'icons',
  // The development server bundles packages before it knows the modules made here.
  config: () => ({ optimizeDeps: { include: ['@mui/material/SvgIcon', 'react/jsx-runtime'] } }),
  resolveId: {
    filter: { id: new RegExp(`^${prefix}`) },
    handler: id => `\0${id}`,
  },
  load: {
    filter: { id: new RegExp(`^${loaded}`) },
    handler: id => ({ code: moduleOf(id.slice(loaded.length)), moduleSideEffects: false }),
  },
})

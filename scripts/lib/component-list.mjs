import { execFileSync } from 'node:child_process'
import { root } from './node.mjs'

const flags = ['--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only']

/** Parts of other projects that are copied into this one and are no packages of it. */
const copied = [
  {
    type: 'library',
    name: '@lobehub/icons-static-svg',
    version: '1.95.1',
    description: 'Marks of providers and model families in apps/console/public/marks',
    licenses: [{ license: { id: 'MIT' } }],
    purl: 'pkg:npm/%40lobehub/icons-static-svg@1.95.1',
  },
  {
    type: 'data',
    name: 'Inter',
    version: '4.1',
    description: 'Typeface of the console, a subset in apps/console/public/fonts',
    licenses: [{ license: { id: 'OFL-1.1' } }],
  },
  {
    type: 'data',
    name: 'Noto Sans CJK SC',
    version: '2.004',
    description: 'Font of invoices, a subset in apps/server/assets/fonts',
    licenses: [{ license: { id: 'OFL-1.1' } }],
  },
]

/**
 * The packages and copied parts of a release with versions, licences and checksums, as CycloneDX: https://cyclonedx.org/docs/1.5/json/.
 * Times and random ids of npm are left out, so that equal locks give equal lists.
 */
export const componentList = env => {
  const text = execFileSync('npm', ['sbom', ...flags], { cwd: root, env, maxBuffer: 1 << 26 })
  const { serialNumber: _, metadata, ...list } = JSON.parse(text)
  const { timestamp: __, tools: ___, ...described } = metadata
  const component = { ...described.component, name: 'one-hub' }
  return {
    ...list,
    metadata: { ...described, component },
    components: [...list.components, ...copied],
  }
}

import { execFileSync } from 'node:child_process'
import { root } from './node.mjs'

const flags = ['--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only']

/**
 * The packages of a release with versions, licences and checksums, as CycloneDX: https://cyclonedx.org/docs/1.5/json/.
 * Times and random ids of npm are left out, so that equal locks give equal lists.
 */
export const componentList = env => {
  const text = execFileSync('npm', ['sbom', ...flags], { cwd: root, env, maxBuffer: 1 << 26 })
  const { serialNumber: _, metadata, ...list } = JSON.parse(text)
  const { timestamp: __, tools: ___, ...described } = metadata
  const component = { ...described.component, name: 'one-hub' }
  return { ...list, metadata: { ...described, component } }
}

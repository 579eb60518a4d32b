import { auditorMayUse, mayUse, packagesMayUse, roomOf, stairs, suites } from './stairs.ts'
import { filesIn, type Import, importsOf, isCode } from './tree.ts'

const server = 'apps/server/src'
const say = ({ from, target }: Import, why: string) => `${from} imports ${target}: ${why}`
const packageOf = (target: string) => /^@hub\/([^/]+)/.exec(target)?.[1]

const serverFinding = (each: Import): string | undefined => {
  const room = roomOf(each.from) ?? ''
  const other = roomOf(each.target)
  const hub = packageOf(each.target)
  if (room === 'auditor') {
    if (other && !auditorMayUse.includes(other)) return say(each, 'the auditor shares no code')
    return undefined
  }
  if (hub) {
    // What is thrown has one class, and every room may throw it.
    if (hub === 'contract' && each.names.every(name => faultWords.has(name.replace(/^type /, ''))))
      return undefined
    const row = mayUse[room]
    if (row?.packages.includes(hub)) return undefined
    if (row?.typesOf?.includes(hub) && each.typeOnly) return undefined
    return say(each, `\`${room}\` may not use this package`)
  }
  if (/^(apps\/console|test|bench)\//.test(each.target)) return say(each, 'not part of the server')
  if (!other) return undefined
  if (level(other) > level(room)) return say(each, 'stairs only go down')
  if (
    room === 'features' &&
    other === 'features' &&
    featureOf(each.from) !== undefined &&
    featureOf(each.from) !== featureOf(each.target)
  )
    return say(each, 'no feature imports a feature')
  return undefined
}

const faultWords = new Set(['Fault', 'FaultCode', 'faults'])

const level = (room: string): number => stairs.indexOf(room as (typeof stairs)[number])
/** The register beside the features knows them all. */
const featureOf = (path: string) => {
  const [, name] = /features\/([^/]+)/.exec(path) ?? []
  return name?.endsWith('.ts') ? undefined : name
}

/** Parts of Node that compute and touch nothing. */
const pureParts = new Set(['node:buffer', 'node:crypto', 'node:zlib'])

const packageFinding = (each: Import): string | undefined => {
  const [, own = ''] = /^packages\/([^/]+)/.exec(each.from) ?? []
  if (each.target.startsWith('apps/')) return say(each, 'packages import no application')
  if (each.target.startsWith('packages/'))
    return each.target.startsWith(`packages/${own}/`)
      ? undefined
      : say(each, 'through its name only')
  if (suites.test(each.from)) return undefined
  if (pureParts.has(each.target)) return undefined
  return packagesMayUse[own]?.includes(each.target)
    ? undefined
    : say(each, `\`${own}\` may not use it`)
}

const consoleFinding = (each: Import): string | undefined => {
  const hub = packageOf(each.target)
  if (hub && hub !== 'contract') return say(each, 'the console knows the contract only')
  if (/^(apps\/server|packages)\//.test(each.target)) return say(each, 'nothing imports the server')
  const feature = consoleFeature(each.from)
  const other = consoleFeature(each.target)
  if (feature && other && feature !== other) return say(each, 'no feature imports a feature')
  return undefined
}
const consoleFeature = (path: string) => /^apps\/console\/src\/features\/([^/]+)\//.exec(path)?.[1]

const findingsIn = (folder: string, finding: (each: Import) => string | undefined) =>
  filesIn(folder)
    .filter(isCode)
    .flatMap(importsOf)
    .map(finding)
    .filter(each => each !== undefined)

/** Check 1: every import that goes up the stairs, or through a back door. */
export const importFindings = (): string[] => [
  ...findingsIn(server, serverFinding),
  ...findingsIn('packages', packageFinding),
  ...findingsIn('apps/console/src', consoleFinding),
  ...filesIn(server)
    .filter(isCode)
    .filter(path => {
      const room = roomOf(path)
      return room !== 'auditor' && level(room ?? '') < 0
    })
    .map(path => `${path} is in no room of section 2`),
]

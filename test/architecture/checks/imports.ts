import {
  auditorImports,
  exportedSuites,
  layers,
  moduleOf,
  packageImports,
  packageRules,
} from '../layers.ts'
import type { ImportedModule } from '../source.ts'
import { filesIn, importsOf, isCode } from '../tree.ts'

const server = 'apps/server/src'
const finding = ({ from, line, target }: ImportedModule, why: string) =>
  `${from}:${line} remove the import of ${target}: ${why}`
const hubPackage = (target: string) => /^@hub\/([^/]+)/.exec(target)?.[1]

const serverFinding = (each: ImportedModule): string | undefined => {
  const module = moduleOf(each.from) ?? ''
  const other = moduleOf(each.target)
  const hub = hubPackage(each.target)
  if (module === 'auditor') {
    if (other && !auditorImports.includes(other)) return finding(each, 'the auditor shares no code')
    return undefined
  }
  if (hub) {
    // Every module may throw a Fault.
    if (hub === 'contract' && each.names.every(name => faultNames.has(name.replace(/^type /, ''))))
      return undefined
    const rule = packageRules[module]
    if (rule?.packages.includes(hub)) return undefined
    if (rule?.typesOf?.includes(hub) && each.typeOnly) return undefined
    return finding(each, `\`${module}\` may not use this package`)
  }
  if (/^(apps\/console|test|bench|demo)\//.test(each.target))
    return finding(each, 'not part of the server')
  if (!other) return undefined
  if (level(other) > level(module)) return finding(each, 'imports point downwards')
  if (
    module === 'features' &&
    other === 'features' &&
    featureOf(each.from) !== undefined &&
    featureOf(each.from) !== featureOf(each.target)
  )
    return finding(each, 'a feature imports no other feature')
  return undefined
}

const faultNames = new Set(['Fault', 'FaultCode', 'faults'])

const level = (module: string): number => layers.indexOf(module as (typeof layers)[number])
/** The register next to the features imports them all, so it belongs to none. */
const featureOf = (path: string) => {
  const [, name] = /features\/([^/]+)/.exec(path) ?? []
  return name?.endsWith('.ts') ? undefined : name
}

/** Node modules that compute and do no I/O. */
const pureNodeModules = new Set(['node:buffer', 'node:crypto', 'node:zlib'])

const packageFinding = (each: ImportedModule): string | undefined => {
  const [, own = ''] = /^packages\/([^/]+)/.exec(each.from) ?? []
  if (each.target.startsWith('apps/')) return finding(each, 'a package imports no application')
  if (each.target.startsWith('packages/'))
    return each.target.startsWith(`packages/${own}/`)
      ? undefined
      : finding(each, 'import another package by its name')
  if (exportedSuites.test(each.from)) return undefined
  if (pureNodeModules.has(each.target)) return undefined
  return packageImports[own]?.includes(each.target)
    ? undefined
    : finding(each, `\`${own}\` may not use it`)
}

const consoleFinding = (each: ImportedModule): string | undefined => {
  const hub = hubPackage(each.target)
  if (hub && hub !== 'contract') return finding(each, 'the console imports the contract only')
  if (/^(apps\/server|packages)\//.test(each.target))
    return finding(each, 'the console imports neither the server nor the files of a package')
  const [from, target] = [consoleLevel(each.from), consoleLevel(each.target)]
  if (from >= 0 && target > from)
    return finding(each, `imports point downwards: ${consoleLayers.toReversed().join(' · ')}`)
  const feature = consoleFeature(each.from)
  const other = consoleFeature(each.target)
  if (feature && other && feature !== other)
    return finding(each, 'a feature imports no other feature')
  return undefined
}
/** The layers of the console, lowest first. */
const consoleLayers = ['locales', 'api', 'ui', 'domain', 'layout', 'features']
const consoleLevel = (path: string) =>
  consoleLayers.indexOf(/^apps\/console\/src\/([^/]+)\//.exec(path)?.[1] ?? '')

const consoleFeature = (path: string) => /^apps\/console\/src\/features\/([^/]+)\//.exec(path)?.[1]

const findingsIn = (folder: string, check: (each: ImportedModule) => string | undefined) =>
  filesIn(folder)
    .filter(isCode)
    .flatMap(importsOf)
    .map(check)
    .filter(each => each !== undefined)

/** Imports that point upwards, or to a package that the importing module may not use. */
export const importFindings = (): string[] => [
  ...findingsIn(server, serverFinding),
  ...findingsIn('packages', packageFinding),
  ...findingsIn('apps/console/src', consoleFinding),
  ...filesIn(server)
    .filter(isCode)
    .filter(path => {
      const module = moduleOf(path)
      return module !== 'auditor' && level(module ?? '') < 0
    })
    .map(path => `${path}:1 move the file into a module that test/architecture/layers.ts lists`),
]

/** Section 2 of the house: which room stands on which, and which packages it may use. Bottom stair first. */
export const stairs = [
  'lib',
  'env',
  'db',
  'state',
  'settings',
  'core',
  'plugs',
  'billing',
  'relay',
  'features',
  'jobs',
  'http',
  'app',
  'main',
] as const

type Row = { packages: readonly string[]; typesOf?: readonly string[] }

export const mayUse: Record<string, Row> = {
  main: { packages: ['contract', 'dialects', 'providers'] },
  app: { packages: ['contract', 'dialects', 'providers'] },
  http: { packages: ['contract'] },
  jobs: { packages: ['contract'] },
  features: { packages: ['contract', 'providers'] },
  relay: { packages: ['contract', 'dialects', 'providers'] },
  billing: { packages: ['contract'], typesOf: ['dialects'] },
  plugs: { packages: ['contract'] },
  core: { packages: ['contract'] },
  settings: { packages: ['contract'] },
  state: { packages: [] },
  db: { packages: [], typesOf: ['contract'] },
  env: { packages: ['contract'] },
  lib: { packages: [] },
}

/** The auditor stands beside the stairs: it checks `billing`, so it may share nothing with it. */
export const auditorMayUse = ['lib', 'env', 'db', 'auditor']

export const packagesMayUse: Record<string, readonly string[]> = {
  contract: ['zod'],
  dialects: [],
  providers: ['@hub/dialects', 'zod'],
}
/** Suites that a package offers to its members need the test runner. */
export const suites = /\/(laws|conform)\.ts$/

export const roomOf = (path: string): string | undefined =>
  /^apps\/server\/src\/([^/.]+)/.exec(path)?.[1]

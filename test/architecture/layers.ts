/** The layers of the server, lowest first, and the packages that each may use. */
export const layers = [
  'lib',
  'env',
  'db',
  'state',
  'settings',
  'core',
  'backup',
  'master-key',
  'integrations',
  'billing',
  'relay',
  'stored-objects',
  'tasks',
  'sockets',
  'public-routes',
  'channel-tests',
  'notifications',
  'features',
  'jobs',
  'http',
  'importer',
  'doctor',
  'open-app',
  'close-app',
  'app',
  'import',
  'reset-password',
  'main',
  'server',
] as const

type PackageRule = { packages: readonly string[]; typesOf?: readonly string[] }

export const packageRules: Record<string, PackageRule> = {
  server: { packages: [] },
  main: { packages: ['contract', 'dialects', 'providers'] },
  'reset-password': { packages: ['contract'] },
  app: { packages: ['contract', 'dialects', 'providers'] },
  'close-app': { packages: [] },
  'open-app': { packages: ['contract'] },
  import: { packages: ['contract'] },
  doctor: { packages: ['contract', 'providers'] },
  importer: { packages: ['contract', 'providers'] },
  http: { packages: ['contract'] },
  jobs: { packages: ['contract'] },
  features: { packages: ['contract', 'providers'] },
  notifications: { packages: ['contract'] },
  'channel-tests': { packages: ['contract', 'dialects', 'providers'] },
  'public-routes': { packages: [] },
  sockets: { packages: ['contract', 'dialects', 'providers'] },
  tasks: { packages: ['contract', 'dialects', 'providers'] },
  'stored-objects': { packages: ['contract', 'dialects', 'providers'] },
  relay: { packages: ['contract', 'dialects', 'providers'] },
  billing: { packages: ['contract', 'dialects'] },
  integrations: { packages: ['contract'] },
  backup: { packages: ['contract'] },
  'master-key': { packages: ['contract'] },
  core: { packages: ['contract'] },
  settings: { packages: ['contract'] },
  state: { packages: [] },
  db: { packages: [], typesOf: ['contract'] },
  env: { packages: ['contract'] },
  lib: { packages: [] },
}

/** The auditor checks `billing`, so it may share no code with it: it stands outside the layers. */
export const auditorImports = ['lib', 'env', 'db', 'auditor']

export const packageImports: Record<string, readonly string[]> = {
  contract: ['zod'],
  dialects: [],
  providers: ['@hub/contract/call-operations', '@hub/dialects', 'zod'],
}
/** Suites and generators of tests import the test runner and fast-check. */
export const exportedSuites = /\/(laws|conform|dialect-suite|[a-z-]+-arbitrary)\.ts$|\/generate\//

export const moduleOf = (path: string): string | undefined =>
  /^apps\/server\/src\/([^/.]+)/.exec(path)?.[1]

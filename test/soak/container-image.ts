import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Administrator, administer, callApi } from '../harness/admin.ts'
import { ask } from '../harness/client.ts'
import { freePort } from '../harness/engines.ts'
import { type Gateway, makeGateway } from '../harness/gateway.ts'
import { root } from '../harness/paths.ts'
import { until } from '../harness/runner/until.ts'
import { startUpstream } from '../upstream/start.ts'
import { guarded, type Part } from './part.ts'

/** Builds the image of the last commit twice, and runs it without rights on a read-only root. */
export const containerImage: Part = {
  name: 'container-image',
  title: 'The container image, built twice and run without rights',
  intro: `Built from two clones with equal file times, then run as user 65532 without capabilities, with a read-only root and a
volume. \`HUB_IMAGE_BUILD\` holds more words for the build command, such as a network or a volume with certificates.
[Container](operations.md#container) names the base images.`,
  columns: ['Program', 'Check', 'Result'],
  run: async () => {
    const program = findProgram()
    const folder = mkdtempSync(join(tmpdir(), 'hub-image-'))
    const container: Container = { program, image: `hub-soak-${process.pid}`, volume: '' }
    const rows: string[][] = []
    try {
      for (const [name, check] of Object.entries(checks(container, folder))) {
        const result = await guarded(name, check, broken => broken.replaceAll(/[\n|]+/g, ' '))
        console.log(`${name}: ${result}`)
        rows.push([program, name, result])
        if (!isSound(result)) break
      }
      return { rows, isSound: rows.every(each => isSound(each.at(-1) ?? '')) }
    } finally {
      rmSync(folder, { recursive: true, force: true })
      spawnSync(program, ['volume', 'rm', '--force', container.volume])
      for (const number of builds)
        spawnSync(program, ['rmi', '--force', `${container.image}:${number}`])
    }
  },
}

type Container = { program: string; image: string; volume: string }

const builds = [1, 2]
const isSound = (result: string) => result.startsWith('yes')
/** The most that the image may weigh. */
const mostMegabytes = 330

const findProgram = (): string => {
  const found = ['docker', 'podman'].find(each => spawnSync(each, ['info']).status === 0)
  if (!found) throw new Error('neither docker nor podman works on this machine')
  return found
}

const checks = (container: Container, folder: string): Record<string, () => Promise<string>> => ({
  'equal layers and settings': async () => buildTwice(container, folder),
  [`at most ${mostMegabytes} MB`]: async () => weigh(container),
  'first password, billed call, restart': () => mainRoad(container),
})

const run = ({ program }: Container, ...words: string[]): string =>
  execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()

type Image = { Size: number; RootFS: { Layers: string[] }; Config: Settings } & Settings
/** Podman names the check beside the other settings, and Docker among them. */
type Settings = { Healthcheck?: { Test: string[] } }

const inspect = (container: Container, number: number): Image =>
  JSON.parse(run(container, 'image', 'inspect', `${container.image}:${number}`))[0]

const healthOf = ({ Healthcheck, Config }: Image) => Healthcheck ?? Config.Healthcheck

const buildTwice = (container: Container, folder: string): string => {
  for (const number of builds) build(container, join(folder, String(number)), number)
  const [first, second] = builds.map(number => {
    const image = inspect(container, number)
    return JSON.stringify([image.RootFS.Layers, image.Config, healthOf(image)])
  })
  return first === second ? 'yes' : `no: ${first} and ${second}`
}

/** Podman gives files and image one time; Docker takes it from the variable and rewrites the files as it exports. */
const buildFlags: Record<string, (image: string) => string[]> = {
  podman: image => ['build', '--format', 'docker', '--timestamp', '0', '--tag', image],
  docker: image => [
    ...['buildx', 'build', '--provenance=false', '--build-arg', 'SOURCE_DATE_EPOCH=0'],
    ...['--output', `type=docker,name=${image},rewrite-timestamp=true`],
  ],
}

const build = (container: Container, project: string, number: number): void => {
  execFileSync('git', ['clone', '--quiet', root, project])
  const { program, image } = container
  const flags = buildFlags[program]?.(`${image}:${number}`) ?? []
  const more = (process.env.HUB_IMAGE_BUILD ?? '').split(' ').filter(Boolean)
  const words = [...flags, '--no-cache', ...more, '.']
  execFileSync(program, words, { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] })
}

const weigh = (container: Container): string => {
  const { Size } = inspect(container, 1)
  const megabytes = Math.round(Size / 1_000_000)
  return `${megabytes <= mostMegabytes ? 'yes' : 'no'}: ${megabytes} MB`
}

/** The variables of the gateway that are passed on to the container. */
const passed = ['PORT', 'HOST', 'LOG_LEVEL', 'LANGUAGE', 'MASTER_KEY', 'TRUSTED_PROXIES']

/** Docker and Podman find their settings and images by variables of the user. */
const environment = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || passed.includes(name) ? [] : [[name, value]],
    ),
  )

const runFlags = ({ program, volume }: Container): string[] => [
  ...['run', '--rm', '--name', volume, '--network', 'host', '--volume', `${volume}:/data`],
  ...['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
  // Podman alone makes a writable /tmp, and its timer for the check needs systemd.
  ...(program === 'podman' ? ['--read-only-tmpfs=false', '--health-interval', 'disable'] : []),
  ...passed.flatMap(each => ['--env', each]),
]

/** A newcomer's way: the printed password, a password of one's own, a channel, a price, a key, a call, its charge. */
const mainRoad = async (container: Container): Promise<string> => {
  container.volume = container.image
  run(container, 'volume', 'create', container.volume)
  const commandLine = [container.program, ...runFlags(container), `${container.image}:1`]
  const gateway = makeGateway({ commandLine, env: environment() })
  const upstream = await startUpstream()
  try {
    await start(gateway)
    const cookie = await signInFirst(gateway)
    const admin = administer(gateway, { cookie })
    await admin.addChannel(upstream.url)
    await admin.setPrice('times:2', 'times', 2)
    const person = await admin.addPerson(10_000)
    await serve(gateway, person.key)
    checkHealth(container)
    same(await gateway.stop(), 0, 'the exit code')

    await start(gateway)
    await serve(gateway, person.key)
    const { quota, used_quota } = await admin.user(person.id)
    same([quota, used_quota], [6_000, 4_000], 'balance and charges')
    await until('both calls are in the log', async () => (await chargesOf(admin)) === '2000 2000')
    run(container, 'exec', container.volume, 'node', 'apps/server/dist/audit.mjs')
    same(await gateway.stop(), 0, 'the exit code')
    return 'yes'
  } finally {
    spawnSync(container.program, ['rm', '--force', container.volume])
    await gateway.close()
    await upstream.close()
  }
}

const chargesOf = async ({ api }: Administrator): Promise<string> => {
  const { data } = await api<{ data: { quota: number }[] }>('GET', '/api/log/?log_type=2')
  return data.map(each => each.quota).join(' ')
}

const start = async (gateway: Gateway): Promise<void> =>
  gateway.start({ PORT: String(await freePort()) })

const signInFirst = async (gateway: Gateway): Promise<string> => {
  const [, first = 'none'] = /^ {4}([\w-]{16})$/m.exec(gateway.output()) ?? []
  const admin = administer(gateway)
  const { user, cookie } = await admin.signIn('root', first)
  same(user.must_change_password, true, 'the demand for a password of one’s own')
  const password = 'one-of-my-own-choice'
  const change = { password, current_password: first }
  const changed = await callApi(gateway, { cookie }, 'PUT', '/api/user/self', change)
  same(changed.status, 200, 'the change of the password')
  return (await admin.signIn('root', password)).cookie
}

const serve = async ({ url }: Gateway, key: string): Promise<void> => {
  const { status, complete } = await ask({ url, key, model: 'times:2', stream: true })
  same([status, complete], [200, true], 'a call')
}

/** The command that the image names, as the engine runs it. */
const checkHealth = (container: Container): void => {
  const [, ...command] = healthOf(inspect(container, 1))?.Test ?? []
  run(container, 'exec', container.volume, ...command)
}

const same = (seen: unknown, expected: unknown, what: string): void => {
  if (JSON.stringify(seen) !== JSON.stringify(expected))
    throw new Error(`${what}: ${JSON.stringify(seen)} instead of ${JSON.stringify(expected)}`)
}

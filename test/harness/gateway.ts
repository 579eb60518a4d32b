import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { node, root } from './paths.ts'
import { compileCache } from './process/compile-cache.ts'
import { untilResolved } from './runner/until.ts'

export type Secrets = {
  masterKey: string
  accessToken: string
  rootKey: string
  rootPassword: string
}

/** Nodes on one database share them. */
export const makeSecrets = (): Secrets => ({
  masterKey: randomBytes(32).toString('base64'),
  accessToken: randomBytes(24).toString('hex'),
  rootKey: `sk-${randomBytes(24).toString('hex')}`,
  rootPassword: randomBytes(12).toString('hex'),
})

export type Gateway = Secrets & {
  url: string
  pid: number
  /** The folder of the project that it is started from. */
  project: string
  dataDir: string
  databaseUrl: string | undefined
  /** Everything it printed, from every start. */
  output(): string
  /** Resolves with the exit code, or the signal that ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | string>
  signal(signal: NodeJS.Signals): void
  exited(): Promise<number | string>
  /** Starts again on the same data, with `env` for this start alone; the address may change. */
  start(env?: Record<string, string>): Promise<void>
  /** Ends it, if it still runs, and removes what it wrote. */
  close(): Promise<void>
}

export type GatewayOptions = {
  /** The folder of the project that it is started from; absent: this one. */
  project?: string
  databaseUrl?: string | undefined
  redisUrl?: string | undefined
  dataDir?: string
  secrets?: Secrets
  env?: Record<string, string>
  /** Arguments for node itself. */
  nodeArguments?: string[]
  /** Starts the sources although the bundle is built. */
  fromSources?: boolean
  /** The command line that starts it, instead of Node and its main file. */
  commandLine?: string[]
  /** Pins the process to a core, where `taskset` exists. */
  core?: number
  /** Limits of the kernel for the process, as `prlimit` names them: `fsize=100000`. */
  limits?: string[]
}

const exitOf = (child: ChildProcess) =>
  new Promise<number | string>(resolve =>
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown')),
  )

process.setMaxListeners(0)

/** A real gateway in a process of its own, on a free port, with a data directory that is thrown away. */
export const startGateway = async (options: GatewayOptions = {}): Promise<Gateway> => {
  const gateway = makeGateway(options)
  await gateway.start()
  return gateway
}

/** The bundle, as users run it, where `npm test` has built it; else the sources, which need no build. */
const isBundle = ({ project = root, fromSources = false }: GatewayOptions) =>
  !fromSources && project === root && process.env.HUB_BUNDLE === '1'
const serverFile = (options: GatewayOptions) =>
  isBundle(options) ? 'apps/server/dist/server.mjs' : 'apps/server/src/main.ts'

const quickPasswords = join(root, 'test/harness/process/quick-passwords.mjs')

const commandOf = (options: GatewayOptions): string[] => {
  const { core, limits, nodeArguments = [], commandLine, project = root } = options
  const nodeCommand = [node, '--import', quickPasswords, ...nodeArguments]
  return [
    ...(core === undefined ? [] : ['taskset', '-c', String(core)]),
    ...(limits?.length ? ['prlimit', ...limits.map(each => `--${each}`), '--'] : []),
    ...(commandLine ?? [...nodeCommand, join(project, serverFile(options))]),
  ]
}

const environmentOf = (options: GatewayOptions, secrets: Secrets, dataDir: string) => ({
  PATH: process.env.PATH,
  PORT: '0',
  HOST: '127.0.0.1',
  DATA_DIR: dataDir,
  LOG_LEVEL: 'warn',
  LANGUAGE: 'en_US',
  MASTER_KEY: secrets.masterKey,
  // Tests send from many addresses: the gateway trusts `X-Forwarded-For` from loopback.
  TRUSTED_PROXIES: '127.0.0.1',
  INITIAL_ROOT_PASSWORD: secrets.rootPassword,
  INITIAL_ROOT_TOKEN: secrets.rootKey,
  INITIAL_ROOT_ACCESS_TOKEN: secrets.accessToken,
  ...(options.databaseUrl ? { DATABASE_URL: options.databaseUrl } : {}),
  ...(options.redisUrl ? { REDIS_URL: options.redisUrl } : {}),
  ...(!isBundle(options) && { NODE_COMPILE_CACHE: compileCache() }),
  ...options.env,
})

/** Resolves with the address that a starting gateway prints. */
const addressOf = (
  started: ChildProcess,
  ended: Promise<number | string>,
  record: (text: string) => void,
): Promise<string> => {
  let output = ''
  const address = new Promise<string>((resolve, reject) => {
    const readOutput = (chunk: Buffer) => {
      output += chunk.toString()
      record(chunk.toString())
      const url = /listening on (http:\/\/\S+)/.exec(output)?.[1]
      // `localhost` may resolve to ::1 first, where this gateway does not listen.
      if (url) resolve(url.replace('localhost', '127.0.0.1').replace(/\/$/, ''))
    }
    started.stdout?.on('data', readOutput)
    started.stderr?.on('data', readOutput)
    void ended.then(code => reject(new Error(`the gateway ended with ${code}:\n${output}`)))
  })
  return untilResolved('the gateway listens', address, { pid: started.pid ?? 0 })
}

/** A gateway that is not started yet. */
export const makeGateway = (options: GatewayOptions = {}): Gateway => {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'hub-test-'))
  const { secrets = makeSecrets(), project = root } = options
  let output = ''
  let child: ChildProcess | undefined
  let ended: Promise<number | string> = Promise.resolve('never started')

  const launch = (more: Record<string, string> = {}): Promise<string> => {
    const [program = node, ...args] = commandOf(options)
    const started = spawn(program, args, {
      cwd: project,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...environmentOf(options, secrets, dataDir), ...more },
    })
    child = started
    ended = exitOf(started)
    // A test process that dies must not leave a server behind.
    process.once('exit', () => started.kill('SIGKILL'))
    return addressOf(started, ended, text => {
      output += text
    })
  }

  const running = () => child?.exitCode === null && child.signalCode === null
  const gateway: Gateway = {
    url: '',
    get pid() {
      return child?.pid ?? 0
    },
    project,
    dataDir,
    databaseUrl: options.databaseUrl,
    ...secrets,
    output: () => output,
    signal: signal => void child?.kill(signal),
    exited: () => ended,
    stop: async (signal = 'SIGTERM') => {
      if (running()) child?.kill(signal)
      return ended
    },
    start: async env => {
      gateway.url = await launch(env)
    },
    close: async () => {
      if (running()) child?.kill('SIGKILL')
      await ended
      if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true })
    },
  }
  return gateway
}

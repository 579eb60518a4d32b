import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { chargesOf, query } from '../../harness/ledger.ts'
import { node } from '../../harness/paths.ts'
import { certificate } from '../../harness/sockets/tls-proxy.ts'
import { startTestHub, type TestHub } from '../../harness/test-hub.ts'
import type { Part } from '../part.ts'
import { installClient } from './install.ts'
import { type Recorded, startRecordingProxy } from './recording-proxy.ts'
import { answerAsModel, finalText, hasShellOutput, shellCalls, usage } from './vendor.ts'

const packageName = '@openai/codex@0.169.0'
const model = 'gpt-5.4'
/** Codex gives up on WebSockets after about seven seconds; this ends one that hangs. */
const runMs = 120_000

type Run = {
  isTls: boolean
  /** The built-in provider at another address, or a provider of its own. */
  setting: 'openai_base_url' | 'model_providers'
  callsShell: boolean
}

const runs: Run[] = [
  { isTls: false, setting: 'openai_base_url', callsShell: false },
  { isTls: false, setting: 'model_providers', callsShell: true },
  { isTls: true, setting: 'model_providers', callsShell: false },
  { isTls: true, setting: 'openai_base_url', callsShell: true },
]

// https://developers.openai.com/codex/config-reference
const settingsOf = (setting: Run['setting'], address: string): string => {
  const head = `model = "${model}"\ncheck_for_update_on_startup = false\n`
  if (setting === 'openai_base_url') return `${head}openai_base_url = "${address}"\n`
  return `${head}model_provider = "hub"
[model_providers.hub]
name = "hub"
base_url = "${address}"
env_key = "CODEX_API_KEY"
wire_api = "responses"
supports_websockets = true
`
}

/** Runs one prompt in an empty folder, without the settings of this machine's user. */
const runPrompt = async (program: string, home: string, key: string) => {
  const folder = join(home, 'work')
  mkdirSync(folder)
  const certificateFile = join(home, 'certificate.pem')
  writeFileSync(certificateFile, certificate)
  const flags = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '--json']
  const child = spawn(node, [program, 'exec', ...flags, '-C', folder, 'Print three lines.'], {
    env: {
      PATH: process.env.PATH,
      HOME: home,
      CODEX_HOME: home,
      CODEX_API_KEY: key,
      CODEX_CA_CERTIFICATE: certificateFile,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: runMs,
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk
  })
  const [code] = await once(child, 'close')
  return { isAnswered: code === 0 && output.includes(finalText), output }
}

/** Milliseconds from the start, and from the message with the prompt, to the first event of its answer. */
const firstEventMs = ({ sent, received }: Recorded, since: number): number[] => {
  const prompted = sent[1]?.at ?? Number.NaN
  const answered = received.find(each => each.at > prompted)?.at ?? Number.NaN
  return [since, prompted].map(each => Math.round(answered - each))
}

const measure = async (hub: TestHub, program: string, run: Run): Promise<(string | number)[]> => {
  const { isTls, setting, callsShell } = run
  const home = mkdtempSync(join(tmpdir(), 'hub-codex-home-'))
  const proxy = await startRecordingProxy(hub.gateway.url, isTls)
  try {
    hub.upstream.forget()
    hub.upstream.play(model, answerAsModel(callsShell))
    const { id, key } = await hub.admin.addPerson(1_000_000)
    writeFileSync(join(home, 'config.toml'), settingsOf(setting, `${proxy.url}/v1`))
    const since = performance.now()
    const { isAnswered, output } = await runPrompt(program, home, key)
    const seconds = ((performance.now() - since) / 1_000).toFixed(1)
    await hub.settled()
    const { recorded } = proxy
    const turns = callsShell ? shellCalls + 1 : 1
    const calls = hub.upstream.served.length
    const amounts = (await chargesOf(hub.gateway, id)).map(each => each.amount)
    const logs = await query(
      hub.gateway,
      `select quota from logs where user_id = ${id} and type = 2`,
    )
    const expected = Array.from({ length: turns }, () => usage.total_tokens).join(' + ')
    const logged = logs.map(each => Number(each.quota)).join(' + ')
    const charged = amounts.join(' + ')
    const isSound =
      isAnswered &&
      recorded.upgrades === 1 &&
      recorded.posts === 0 &&
      calls === turns &&
      (!callsShell || hasShellOutput(hub.upstream.served.at(-1))) &&
      charged === expected &&
      logged === expected
    if (!isSound) console.error(output)
    const counts = [recorded.upgrades, recorded.posts, recorded.sent.length, calls]
    const times = [...firstEventMs(recorded, since), seconds]
    const words = [isTls ? 'wss' : 'ws', setting, callsShell ? 'shell' : 'text']
    return [...words, ...counts, charged, logged, ...times, isSound ? 'yes' : 'NO']
  } finally {
    await proxy.close()
    rmSync(home, { recursive: true, force: true })
  }
}

export const codex: Part = {
  name: 'codex',
  title: 'The Codex CLI over a WebSocket',
  intro: `\`codex exec\` of ${packageName} uses a gateway over ws and wss. One prompt is answered with text, the other after
${shellCalls} commands in the shell. Sound: one upgrade, no post, and charges and log rows equal to the vendor's usage of
${usage.total_tokens} tokens a call. Codex first sends a message with \`generate: false\`, which the gateway answers free of charge.`,
  columns: [
    'Scheme',
    'Setting',
    'Prompt',
    'Upgrades',
    'Posts',
    'Messages',
    'Vendor calls',
    'Charges',
    'Log rows',
    'Start to first event, ms',
    'Prompt to first event, ms',
    'Whole run, s',
    'Sound',
  ],
  run: async ({ engines }) => {
    const [engine] = engines
    const folder = mkdtempSync(join(tmpdir(), 'hub-codex-'))
    if (!engine || !installClient(folder, packageName)) {
      rmSync(folder, { recursive: true, force: true })
      return { rows: [], isSound: true }
    }
    const program = join(folder, 'node_modules/@openai/codex/bin/codex.js')
    const hub = await startTestHub(engine)
    try {
      await hub.admin.addChannel(`${hub.upstream.url}/codex`, { models: model })
      await hub.admin.setPrice(model, 'tokens', 1)
      const rows: (string | number)[][] = []
      for (const run of runs) rows.push(await measure(hub, program, run))
      await hub.audit()
      return { rows, isSound: rows.every(each => each.at(-1) === 'yes') }
    } finally {
      await hub.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { chargesOf } from '../../harness/ledger.ts'
import { node } from '../../harness/paths.ts'
import { startTestHub, type TestHub } from '../../harness/test-hub.ts'
import type { Part } from '../part.ts'
import { installClient } from './install.ts'
import { startRecordingProxy } from './recording-proxy.ts'
import { answerAsModel, finalText, hasShellOutput, shellCalls, usage } from './vendor.ts'

const model = 'gpt-5.4'
const runMs = 120_000
const prompt = ['-p', 'Print three lines.']

type Client = {
  packageName: string
  command(folder: string): string[]
  environment(url: string, key: string): Record<string, string>
}

const clients: Client[] = [
  {
    packageName: '@anthropic-ai/claude-code@2.1.330',
    command: folder => [
      join(
        folder,
        `node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`,
      ),
      ...prompt,
      ...['--model', model, '--allowedTools', 'Bash'],
    ],
    environment: (url, key) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_AUTH_TOKEN: key,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
  },
  {
    packageName: '@google/gemini-cli@0.61.0',
    command: folder => [
      ...[node, join(folder, 'node_modules/.bin/gemini'), ...prompt],
      ...['-m', model, '--yolo', '--skip-trust'],
    ],
    environment: (url, key) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: key }),
  },
]

const geminiSettings = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
}

/** Runs one prompt in an empty folder, without the settings of this machine's user. */
const runPrompt = async (command: string[], home: string, env: Record<string, string>) => {
  const folder = join(home, 'work')
  mkdirSync(folder)
  mkdirSync(join(home, '.gemini'))
  writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify(geminiSettings))
  const [program = '', ...words] = command
  const child = spawn(program, words, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: home, TERM: 'dumb', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: runMs,
  })
  let output = ''
  const read = (chunk: Buffer) => {
    output += chunk
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  const [code] = await once(child, 'close')
  return { isAnswered: code === 0 && output.includes(finalText), output }
}

const measure = async (hub: TestHub, client: Client): Promise<(string | number)[] | undefined> => {
  const home = mkdtempSync(join(tmpdir(), 'hub-client-'))
  const proxy = await startRecordingProxy(hub.gateway.url, false)
  try {
    if (!installClient(home, client.packageName)) return undefined
    hub.upstream.forget()
    const { id, key } = await hub.admin.addPerson(1_000_000)
    const since = performance.now()
    const env = client.environment(proxy.url, key)
    const { isAnswered, output } = await runPrompt(client.command(home), home, env)
    const seconds = ((performance.now() - since) / 1_000).toFixed(1)
    await hub.settled()
    const { served } = hub.upstream
    const charged = (await chargesOf(hub.gateway, id)).map(each => each.amount).join(' + ')
    const expected = Array.from({ length: shellCalls + 1 }, () => usage.total_tokens).join(' + ')
    const isSound =
      isAnswered &&
      proxy.recorded.posts === shellCalls + 1 &&
      served.length === shellCalls + 1 &&
      served.every(each => each.path.endsWith('/v1/responses')) &&
      hasShellOutput(served.at(-1)) &&
      charged === expected
    if (!isSound) console.error(output)
    const counts = [proxy.recorded.posts, served.length, charged, seconds]
    return [client.packageName, ...counts, isSound ? 'yes' : 'NO']
  } finally {
    await proxy.close()
    rmSync(home, { recursive: true, force: true })
  }
}

export const translatedClients: Part = {
  name: 'clients',
  title: 'Claude Code and Gemini CLI with an OpenAI model',
  intro: `Each client runs ${shellCalls} commands in its shell and answers, through an OpenAI channel with ${model}, whose tools with
reasoning the vendor takes at \`/v1/responses\` only. Sound: no retry, and charges equal to the vendor's usage.`,
  columns: ['Client', 'Posts', 'Vendor calls', 'Charges', 'Whole run, s', 'Sound'],
  run: async ({ engines }) => {
    const [engine] = engines
    if (!engine) return { rows: [], isSound: true }
    const hub = await startTestHub(engine)
    try {
      await hub.admin.addChannel(`${hub.upstream.url}/clients`, { models: model })
      await hub.admin.setPrice(model, 'tokens', 1)
      hub.upstream.play(model, answerAsModel(true))
      const rows: (string | number)[][] = []
      for (const client of clients) {
        const row = await measure(hub, client)
        if (row) rows.push(row)
      }
      await hub.audit()
      return { rows, isSound: rows.every(each => each.at(-1) === 'yes') }
    } finally {
      await hub.close()
    }
  },
}

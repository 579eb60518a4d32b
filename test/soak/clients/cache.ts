import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chargesOf } from '../../harness/ledger.ts'
import { type SocksProxy, startSocksProxy } from '../../harness/sockets/socks-proxy.ts'
import { startTestHub, type TestHub } from '../../harness/test-hub.ts'
import type { Part } from '../part.ts'
import { claudePackage, runClaude } from './agents/run-claude.ts'
import { installClient } from './install.ts'
import { type RecordedCall, startRecordingProxy } from './recording-proxy.ts'
import {
  agents,
  askAgents,
  askPlain,
  cachingModel,
  doneText,
  type Prompt,
} from './scripted/cache-session.ts'
import { commonPrefix } from './scripted/prompt-cache.ts'
import { playVendor } from './scripted/vendor.ts'

const questions = 20

type Target = {
  name: string
  model: string
  type: number
  /** The vendor's own host, which is reached by a proxy. */
  host?: string
  /** Anthropic itself gets the bytes of the client. */
  isUnchanged?: true
}

/** Asked for it, Claude Code writes all of its instructions before the first question. */
const olderClaude = 'claude-sonnet-4-6'

const targets: Target[] = [
  { name: 'vLLM, chat', type: 8, model: 'qwen3.8-27b' },
  { name: 'OpenAI, Responses', type: 1, model: 'gpt-5.5' },
  { name: 'Gemini', type: 25, model: 'gemini-3.1-pro' },
  { name: 'Bedrock, Claude', type: 32, model: 'us.anthropic.claude-sonnet-4-6' },
  { name: 'Bedrock, Converse', type: 32, model: 'us.amazon.nova-pro-v1:0' },
  { name: 'DeepSeek, Messages', type: 28, model: 'deepseek-v4-pro', host: 'api.deepseek.com' },
  {
    ...{ name: 'Anthropic', type: 14, model: 'claude-opus-5-5', host: 'api.anthropic.com' },
    isUnchanged: true,
  },
]

/** Claude Code prints this about each model of another vendor. */
const notice = /^\[claude-code:unrecognized_model\] .*\n*/gm

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

/** The least share of a first prompt that others begin with: of all of it, and of what stands before the question. */
const sharesOf = (first: Prompt | undefined, others: readonly (Prompt | undefined)[]) => {
  const questionAt = first?.prompt.search(/Conversation \d, question|Agent \d\.\d:/) ?? -1
  const lengths = others.map(each => (first && each ? commonPrefix(first.prompt, each.prompt) : 0))
  const least = Math.min(...lengths)
  return { whole: least / (first?.prompt.length ?? 1), before: Math.min(1, least / questionAt) }
}

const figuresOf = (prompts: readonly Prompt[]) => {
  const firstOf = (speaker: string) => prompts.find(each => each.speaker === speaker)
  const agentsOf = (conversation: number) =>
    Array.from({ length: agents }, (_, at) => firstOf(`${conversation}.${at + 1}`))
  const [first, ...others] = [...agentsOf(1), ...agentsOf(2)]
  const later = prompts.filter(each => each.speaker === '1' && each.question > 0)
  const sum = (count: (each: Prompt) => number) =>
    later.reduce((total, each) => total + count(each), 0)
  return {
    conversations: sharesOf(firstOf('1'), [firstOf('2')]),
    agents: sharesOf(first, others),
    read: later.length === questions ? sum(each => each.cached) / sum(each => each.input) : 0,
  }
}

type Figures = ReturnType<typeof figuresOf>

/** Before a Claude of 2026 and unknown models, Claude Code writes its environment behind the first question. */
const isShared = ({ conversations, agents: ofAgents, read }: Figures, requested: string): boolean =>
  [conversations, ofAgents].every(
    each => each.before >= 0.95 && (requested !== olderClaude || each.whole >= 0.95),
  ) && read >= 0.98

const isEqual = (sent: readonly RecordedCall[], served: readonly { body: Buffer }[]): boolean =>
  sent.length === served.length &&
  sent.every(({ body }) => served.some(each => each.body.equals(body)))

const addTarget = async (hub: TestHub, target: Target, requested: string, proxy: SocksProxy) => {
  const { type, model, host } = target
  const { port } = new URL(hub.upstream.url)
  const own = { base_url: `http://${host}:${port}`, proxy: proxy.url }
  const [channel] = await hub.admin.addChannel(`${hub.upstream.url}/cache`, {
    ...{ type, models: requested },
    ...(requested === model ? {} : { model_mapping: JSON.stringify({ [requested]: `+${model}` }) }),
    ...(type === 32 ? { key: 'us-east-1|ABSKc2VjcmV0' } : {}),
    ...(host ? own : {}),
  })
  await hub.admin.setPrice(requested, 'tokens', 1)
  return () => hub.admin.api('DELETE', `/api/channel/${channel?.id}`)
}

const measure = async (hub: TestHub, folder: string, target: Target, requested: string) => {
  const home = mkdtempSync(join(tmpdir(), 'hub-cache-'))
  const proxy = await startRecordingProxy(hub.gateway.url, false)
  const { id, key } = await hub.admin.addPerson(1_000_000_000)
  const prompts: Prompt[] = []
  hub.upstream.forget()
  hub.upstream.play(target.model, playVendor(cachingModel(prompts)))
  try {
    const place = { home, url: proxy.url, key, model: requested }
    const plain = Array.from({ length: questions }, (_, at) => at + 1)
    const first = [askAgents(1), ...plain.map(each => askPlain(1, each))]
    const runs = [await runClaude(folder, place, first)]
    runs.push(await runClaude(folder, place, [askAgents(2)]))
    await hub.settled()
    const results = runs.flatMap(each => each.lines.filter(line => line.type === 'result'))
    const texts = results.map(each => each.result)
    const expected = [0, ...plain].map(each => doneText(1, each)).concat(doneText(2, 0))
    const { calls } = proxy.recorded
    const refused = calls.filter(each => each.status !== 200)
    const figures = figuresOf(prompts)
    const charges = (await chargesOf(hub.gateway, id)).length
    const { served } = hub.upstream
    const isWhole = target.isUnchanged && requested === target.model ? isEqual(calls, served) : true
    const wrong = [
      ...(texts.join('\n') === expected.join('\n') ? [] : [`answers: ${texts.join(' ')}`]),
      ...runs.map(each => each.errors.replace(notice, '')).filter(Boolean),
      ...refused.map(each => `${each.status} ${each.path}`),
      ...(charges === served.length ? [] : [`${charges} charges of ${served.length} calls`]),
      ...(isWhole ? [] : ['the bytes changed']),
      // With the line, nothing is shared: the client still writes it.
      ...(isShared(figures, requested) === (target.isUnchanged === true) ? ['what is shared'] : []),
    ]
    for (const each of wrong) console.error(`${target.name}: ${each}`)
    return [
      ...[target.name, requested, served.length, charges],
      ...[figures.conversations, figures.agents].flatMap(({ whole, before }) => [
        percent(whole),
        percent(before),
      ]),
      ...[percent(figures.read), isEqual(calls, served) ? 'yes' : 'no'],
      wrong.length === 0 ? 'yes' : 'NO',
    ]
  } finally {
    await proxy.close()
    rmSync(home, { recursive: true, force: true })
  }
}

export const cachedPrompts: Part = {
  name: 'prompt-cache',
  title: 'What Claude Code reads from prompt caches',
  intro: `${claudePackage} has two conversations, one of ${questions + 1} questions, and each starts ${agents} agents. The vendor writes
tools, system prompt and messages in this order, as chat templates do, and counts what a prompt has in common with an earlier one.
Towards ${olderClaude} the client writes all its instructions before the question, towards newer and unknown models a part behind it.
Sound: the first prompts of the conversations have at least 95 % of what stands before the question in common, and 95 % of all of it
where nothing stands behind; those of all agents too; later questions read at least 98 % from the cache; each call is charged once.
Anthropic at its own host gets the bytes of the client, where the line at the top differs between conversations.`,
  columns: [
    ...['Vendor', 'Requested model', 'Vendor calls', 'Charges', 'Shared by conversations'],
    ...['before the question', 'Shared by agents', 'before the question'],
    ...['Read by later questions', 'Equal bodies', 'Sound'],
  ],
  run: async ({ engines }) => {
    const [engine] = engines
    const folder = mkdtempSync(join(tmpdir(), 'hub-cache-client-'))
    if (!engine || !installClient(folder, claudePackage)) {
      rmSync(folder, { recursive: true, force: true })
      return { rows: [], isSound: true }
    }
    const hub = await startTestHub(engine)
    const proxy = await startSocksProxy(undefined, () => '127.0.0.1')
    try {
      const rows: (string | number)[][] = []
      for (const target of targets) {
        for (const requested of new Set([target.model, olderClaude])) {
          const remove = await addTarget(hub, target, requested, proxy)
          rows.push(await measure(hub, folder, target, requested))
          await remove()
        }
      }
      await hub.audit()
      return { rows, isSound: rows.every(each => each.at(-1) === 'yes') }
    } finally {
      await hub.close()
      await proxy.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

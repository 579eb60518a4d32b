import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chargesOf } from '../../harness/ledger.ts'
import { startTestHub, type TestHub } from '../../harness/test-hub.ts'
import type { Part } from '../part.ts'
import { clientFolder, installProgram } from './install.ts'
import { startRecordingProxy } from './recording-proxy.ts'
import { type Program, programs } from './scripted/programs.ts'
import { type RuleSet, ruleSets } from './scripted/rules.ts'
import { scriptedModel } from './scripted/scripted-model.ts'
import { placeIn, playSession } from './scripted/session.ts'
import { scriptedTurns } from './scripted/turns.ts'
import { playVendor } from './scripted/vendor.ts'

/** Each has two of the ten turns. */
const stations = ['OpenAI', 'Anthropic', 'Gemini', 'DeepSeek', 'Bedrock'].map(
  name => ruleSets.find(each => each.name === name)!,
)
const turnsEach = scriptedTurns.length / stations.length
const movers = programs.filter(each => each.name === 'Codex' || each.name === 'Claude Code')

/** The name by which the client asks, whatever vendor answers. */
const requested = 'gpt-5.5'

/** The only channel of the model, until the session moves on. */
const openChannel = async (hub: TestHub, { name, type, model, key }: RuleSet) => {
  const [channel] = await hub.admin.addChannel(`${hub.upstream.url}/moving-${name.toLowerCase()}`, {
    ...{ type, models: requested, ...(key ? { key } : {}) },
    ...(model === requested ? {} : { model_mapping: JSON.stringify({ [requested]: `+${model}` }) }),
  })
  return () => hub.admin.api('DELETE', `/api/channel/${channel?.id}`)
}

const measure = async (hub: TestHub, packages: string, program: Program) => {
  const home = mkdtempSync(join(tmpdir(), 'hub-moving-'))
  const proxy = await startRecordingProxy(hub.gateway.url, false)
  const { id, key } = await hub.admin.addPerson(1_000_000)
  const place = placeIn(home, { packages, url: proxy.url, key })
  const models = stations.map(each => scriptedModel(each, place.work))
  hub.upstream.forget()
  for (const [at, { model }] of stations.entries())
    hub.upstream.play(model, playVendor(models[at]!.decide))
  let close = async (): Promise<unknown> => undefined
  const beforeTurn = async (turn: number) => {
    if ((turn - 1) % turnsEach !== 0) return
    await close()
    close = await openChannel(hub, stations[(turn - 1) / turnsEach]!)
  }
  try {
    const stalled = Promise.race(models.map(each => each.stalled))
    const faults = await playSession(program, { place, model: requested, stalled, beforeTurn })
    await hub.settled()
    const { served } = hub.upstream
    const repeated = models.flatMap(each => each.foreign).length
    const charges = (await chargesOf(hub.gateway, id)).length
    const refused = proxy.recorded.calls.filter(each => each.status >= 400)
    const wrong = [
      ...faults,
      ...models.flatMap(each => each.refusals),
      ...refused.map(each => `${each.status} ${each.path}`),
      ...(charges === served.length - repeated ? [] : [`${charges} charges`]),
    ]
    for (const each of wrong) console.error(`${program.name}: ${each}`)
    const calls = stations.map(({ model, name }, at) => {
      const count = served.filter(each =>
        each.path.includes(`/moving-${name.toLowerCase()}/`),
      ).length
      const own = models[at]!.foreign.length
      return model && own > 0 ? `${count - own} + ${own}` : count
    })
    return [program.packageName, ...calls, refused.length, charges, wrong.length ? 'NO' : 'yes']
  } finally {
    await close()
    await proxy.close()
    rmSync(home, { recursive: true, force: true })
  }
}

export const movingSessions: Part = {
  name: 'moving-sessions',
  title: 'Sessions that move from vendor to vendor',
  intro: `One session of ten turns of each client under one model name, whose channel is replaced after every second turn. Each vendor
enforces its rules, and refuses thoughts that another one has signed. The columns show the calls of each vendor, and after the
plus those that it refused for such thoughts and that were repeated without them. Sound: the client sees no refusal, the files have
their last text, and each finished call is charged once.`,
  columns: ['Client', ...stations.map(each => each.name), 'Refusals seen', 'Charges', 'Sound'],
  run: async ({ engines }) => {
    const [engine] = engines
    if (!engine) return { rows: [], isSound: true }
    const { packages, remove } = clientFolder()
    const hub = await startTestHub(engine)
    try {
      await hub.admin.setPrice(requested, 'tokens', 1)
      const rows: (string | number)[][] = []
      for (const program of movers)
        if (installProgram(packages, program)) rows.push(await measure(hub, packages, program))
      await hub.audit()
      return { rows, isSound: rows.every(each => each.at(-1) === 'yes') }
    } finally {
      await hub.close()
      remove()
    }
  },
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine } from '../../harness/engines.ts'
import { accountOf, chargesOf, query } from '../../harness/ledger.ts'
import { startTestHub, type TestHub } from '../../harness/test-hub.ts'
import type { Part, Result } from '../part.ts'
import { compareBodies } from './agents/bodies.ts'
import { agents, askTurn, commands, playClaude, turnDone } from './agents/claude-model.ts'
import { askCodex, codexCommands, codexDone, playCodex, ranCommands } from './agents/codex-model.ts'
import { watchHolds } from './agents/holds.ts'
import type { Billed } from './agents/meter.ts'
import { claudePackage, runClaude } from './agents/run-claude.ts'
import { codexPackage, runCodex } from './agents/run-codex.ts'
import { installClient } from './install.ts'
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts'

const turns = 10
const pointsPerDollar = 500_000
const prompts = (ask: (turn: number) => string) =>
  Array.from({ length: turns }, (_, at) => ask(at + 1))

type Setup = { hub: TestHub; folder: string; home: string; key: string; proxy: RecordingProxy }

type Session = {
  packageName: string
  model: string
  dollars: number
  /** Calls of the session at the vendor. */
  calls: number
  /** Plays the vendor and runs the client. Resolves with what is wrong. */
  run(place: Setup, billed: Billed[]): Promise<string[]>
}

/** The first calls of the five agents think for longer than a client that repeats a refusal likes to wait. */
const claudeThinks = { first: 12_000, later: 400 }

const claudeCode: Session = {
  packageName: claudePackage,
  model: 'claude-opus-5-5',
  dollars: 5,
  calls: turns * (2 + agents * (commands + 1)),
  run: async ({ hub, folder, home, key, proxy }, billed) => {
    const thinks = claudeThinks
    hub.upstream.play(
      claudeCode.model,
      playClaude(billed, {
        thinks: talk =>
          talk?.turn === 1 && talk.agent > 0 && talk.results === 0 ? thinks.first : thinks.later,
        thinkingTokens: 800,
      }),
    )
    const { code, lines, errors } = await runClaude(
      folder,
      { home, url: proxy.url, key },
      prompts(askTurn),
    )
    const results = lines.filter(each => each.type === 'result')
    const isTurnDone = (turn: number) => {
      const line = results[turn - 1]
      const isSuccess = line?.subtype === 'success' && line.is_error === false
      return isSuccess && line.result === turnDone(turn)
    }
    const undone = prompts(String).filter(each => !isTurnDone(Number(each)))
    // The client shows its retries to the user, and gives up after ten of them.
    const shown = lines.filter(each => /"(\w*_retry|is_error":true)/.test(JSON.stringify(each)))
    return [
      ...(code === 0 ? [] : [`exit code ${code}`]),
      ...(errors === '' ? [] : [errors]),
      ...(undone.length === 0 ? [] : [`turns ${undone.join(', ')} are not done`]),
      ...shown.slice(0, 3).map(each => JSON.stringify(each)),
    ]
  },
}

/** A warning of Codex about the folder of this test, and a line that it always prints. */
const codexNotices = /^(WARNING: proceeding, even though .*|Reading additional input .*)?\n?/gm

const codexWith = (model: string, isDefault: boolean): Session => ({
  packageName: codexPackage,
  model,
  dollars: 0.5,
  calls: turns * (codexCommands + 1),
  run: async ({ hub, folder, home, key, proxy }, billed) => {
    hub.upstream.play(model, playCodex(billed, { thinksMs: 300, reasoning: 600 }))
    const named = isDefault ? '' : model
    const sent = { home, url: proxy.url, key, model: named }
    const done = await runCodex(folder, sent, prompts(askCodex))
    return [
      ...done.flatMap(({ code, lines, errors }, at) => {
        const shown = lines.filter(each => /error|failed/.test(each.type))
        const texts = lines.map(each => each.item?.text)
        return [
          ...(code === 0 ? [] : [`exit code ${code}`]),
          ...(texts.includes(codexDone(at + 1)) ? [] : [`turn ${at + 1} is not done`]),
          ...shown.map(each => JSON.stringify(each)),
          ...(errors.replace(codexNotices, '') === '' ? [] : [errors]),
        ]
      }),
      ...(ranCommands(hub.upstream.served.at(-1)?.body, turns) ? [] : ['a command did not run']),
    ]
  },
})

const sessions = [claudeCode, codexWith('gpt-6.1-sol', true), codexWith('gpt-6-luna', false)]

const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0)
const sorted = (amounts: readonly number[]) => amounts.toSorted((a, b) => a - b).join(' ')

const measure = async (
  { name }: Engine,
  hub: TestHub,
  folder: string,
  session: Session,
): Promise<(string | number)[]> => {
  const home = mkdtempSync(join(tmpdir(), 'hub-agents-'))
  const proxy = await startRecordingProxy(hub.gateway.url, false)
  const { id, key } = await hub.admin.addPerson(session.dollars * pointsPerDollar)
  const watch = watchHolds(hub.gateway, id)
  const billed: Billed[] = []
  hub.upstream.forget()
  try {
    const since = performance.now()
    const faults = await session.run({ hub, folder, home, key, proxy }, billed)
    const seconds = ((performance.now() - since) / 1_000).toFixed(0)
    await hub.settled()
    const holds = await watch.stop()
    const charges = (await chargesOf(hub.gateway, id)).map(each => each.amount)
    const { balance } = await accountOf(hub.gateway, id)
    const { calls } = proxy.recorded
    const refused = calls.filter(each => each.status !== 200).length
    const bodies = compareBodies(calls, hub.upstream.served)
    const limited = await query(
      hub.gateway,
      `select id from logs where user_id = ${id} and metadata like '%"output_limit"%'`,
    )
    const [shortfalls = {}] = await query(
      hub.gateway,
      `select count(*) as n from shortfalls where user_id = ${id}`,
    )
    const bill = billed.map(each => each.points)
    const wrong = [
      ...faults,
      ...(billed.length === session.calls ? [] : [`${billed.length} vendor calls`]),
      ...(refused === 0 ? [] : [`${refused} refusals`]),
      ...(sorted(charges) === sorted(bill) ? [] : [`charged ${charges}, billed ${bill}`]),
      ...(balance === session.dollars * pointsPerDollar - sum(bill) ? [] : [`balance ${balance}`]),
      ...(holds.leastAvailable >= 0 ? [] : [`${holds.leastAvailable} points available`]),
      ...(holds.mostUnbounded <= 1 ? [] : [`${holds.mostUnbounded} holds without a bound`]),
      ...(Number(shortfalls.n) === 0 ? [] : [`${shortfalls.n} shortfalls`]),
      ...(bodies.changed === 0 && bodies.limited === limited.length
        ? []
        : [`bodies: ${JSON.stringify(bodies)}, log rows with a limit: ${limited.length}`]),
    ]
    for (const each of wrong) console.error(each)
    return [
      ...[name, session.packageName, session.model, `$${session.dollars}`, turns, billed.length],
      ...[refused, bodies.equal, bodies.limited, holds.mostOpen, holds.mostUnbounded],
      ...[sum(charges), balance, seconds, wrong.length === 0 ? 'yes' : 'NO'],
    ]
  } finally {
    await watch.stop()
    await proxy.close()
    rmSync(home, { recursive: true, force: true })
  }
}

const runOn = async (engine: Engine, folder: string): Promise<Result['rows']> => {
  const hub = await startTestHub(engine)
  try {
    await hub.admin.addChannel(`${hub.upstream.url}/claude`, { type: 14, models: claudeCode.model })
    const models = sessions.slice(1).map(each => each.model)
    await hub.admin.addChannel(`${hub.upstream.url}/codex`, { models: models.join(',') })
    const rows: Result['rows'] = []
    for (const session of sessions) rows.push(await measure(engine, hub, folder, session))
    await hub.audit()
    return rows
  } finally {
    await hub.close()
  }
}

export const smallBalances: Part = {
  name: 'agents',
  title: 'Claude Code with five agents on $5, and Codex on $0.50',
  intro: `Ten turns of each client with its default model at the shipped price; Codex also with a cheap model, whose longest answer
$0.50 covers. In each turn of Claude Code five agents run at once, each three calls long, whose thinking is not shown. Sound: the
client ends with 0 and shows neither an error nor a retry, every turn is done, each charge is the vendor's bill, the balance covers
all holds at any time, at most one of them has no bound, no shortfall, and each body reaches the vendor as it was sent, or with
the limit that the balance covers.`,
  columns: [
    ...['Engine', 'Client', 'Model', 'Balance', 'Turns', 'Vendor calls', 'Refusals'],
    ...['Equal bodies', 'Bodies with a limit', 'Most open holds', 'Most without a bound'],
    ...['Charged', 'Left', 'Whole run, s', 'Sound'],
  ],
  run: async ({ engines }) => {
    const folder = mkdtempSync(join(tmpdir(), 'hub-agents-clients-'))
    try {
      if (![claudePackage, codexPackage].every(each => installClient(folder, each)))
        return { rows: [], isSound: true }
      const rows: Result['rows'] = []
      for (const engine of engines) rows.push(...(await runOn(engine, folder)))
      return { rows, isSound: rows.every(each => each.at(-1) === 'yes') }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

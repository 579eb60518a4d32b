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
import { scriptedModel, tokensOfCall } from './scripted/scripted-model.ts'
import { placeIn, playSession } from './scripted/session.ts'
import { isCall, playVendor } from './scripted/vendor.ts'

/** The channel to a vendor, under a model of its own. */
const addVendor = async (hub: TestHub, { name, type, model, key }: RuleSet): Promise<void> => {
  const address = `${hub.upstream.url}/agents-of-${name.toLowerCase()}`
  await hub.admin.addChannel(address, { type, models: model, ...(key ? { key } : {}) })
  await hub.admin.setPrice(model, 'tokens', 1)
}

/** Lists what is wrong with ten turns of one client against one vendor. */
const faultsOf = async (
  hub: TestHub,
  packages: string,
  program: Program,
  rules: RuleSet,
): Promise<string[]> => {
  const home = mkdtempSync(join(tmpdir(), 'hub-grid-'))
  const proxy = await startRecordingProxy(hub.gateway.url, false)
  const { id, key } = await hub.admin.addPerson(1_000_000)
  const place = placeIn(home, { packages, url: proxy.url, key })
  const model = scriptedModel(rules, place.work, program.writesEdits)
  hub.upstream.forget()
  hub.upstream.play(rules.model, playVendor(model.decide))
  try {
    const session = { place, model: rules.model, stalled: model.stalled }
    const faults = await playSession(program, session)
    await hub.settled()
    const served = hub.upstream.served.filter(isCall)
    const complete = served.filter(each => each.complete).length
    const amounts = (await chargesOf(hub.gateway, id)).map(each => each.amount)
    const exact = amounts.filter(each => each === tokensOfCall).length
    const refused = proxy.recorded.calls.filter(each => each.status >= 400)
    return [
      ...faults,
      ...model.refusals.map(each => `vendor: ${each}`),
      ...new Set(refused.map(each => `${each.status} ${each.path}`)),
      ...(model.sawImage() || !program.sendsImages ? [] : ['no image']),
      ...(amounts.length === served.length
        ? []
        : [`${amounts.length} of ${served.length} charged`]),
      ...(exact >= complete ? [] : [`charges ${amounts}`]),
    ]
  } finally {
    await proxy.close()
    rmSync(home, { recursive: true, force: true })
  }
}

const chosen = (variable: string, name: string): boolean =>
  (process.env[variable] ?? name).split(',').includes(name)

export const agentGrid: Part = {
  name: 'agent-grid',
  title: 'Agents against vendors that enforce their rules',
  intro: `Ten turns of each client, with edits of files, parallel calls, an image, a stop in the middle of a stream, and a session that
goes on in a new process each time. The vendor refuses what its [rules](model-rules.md) forbid, and calls without results.
\`passed\`: every turn ends as the model says, no call is refused, the files have their last text, the vendor saw the image,
and each call is charged once, the finished ones by what the vendor reports.`,
  columns: ['Client', ...ruleSets.map(each => each.name), 'Whole run, s'],
  run: async ({ engines }) => {
    const [engine] = engines
    if (!engine) return { rows: [], isSound: true }
    const { packages, remove } = clientFolder()
    const hub = await startTestHub(engine)
    try {
      for (const rules of ruleSets) await addVendor(hub, rules)
      const rows: (string | number)[][] = []
      for (const program of programs) {
        if (!chosen('HUB_AGENTS', program.name)) continue
        if (!installProgram(packages, program)) continue
        const since = performance.now()
        const cells: string[] = []
        for (const rules of ruleSets) {
          if (!chosen('HUB_RULE_SETS', rules.name)) cells.push('left out')
          else {
            const faults = await faultsOf(hub, packages, program, rules)
            for (const each of faults) console.error(`${program.name}, ${rules.name}: ${each}`)
            cells.push(faults.length === 0 ? 'passed' : shortened(faults[0]))
          }
        }
        const seconds = ((performance.now() - since) / 1_000).toFixed(0)
        rows.push([program.packageName, ...cells, seconds])
      }
      await hub.audit()
      const cells = rows.flatMap(each => each.slice(1, -1))
      return { rows, isSound: cells.every(each => each === 'passed' || each === 'left out') }
    } finally {
      await hub.close()
      remove()
    }
  },
}

const shortened = (fault = ''): string => fault.replace(/[\s|]+/g, ' ').slice(0, 80)

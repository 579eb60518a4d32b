import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Person } from '../../harness/admin.ts'
import { chargesOf } from '../../harness/ledger.ts'
import { startTestHub, type TestHub } from '../../harness/test-hub.ts'
import type { Served } from '../../upstream/turn.ts'
import type { Part } from '../part.ts'
import { clientFolder, installProgram } from './install.ts'
import { type RecordedCall, startRecordingProxy } from './recording-proxy.ts'
import type { Json } from './scripted/conversation.ts'
import { type Program, programs } from './scripted/programs.ts'
import { type RuleSet, ruleSets } from './scripted/rules.ts'
import { scriptedModel } from './scripted/scripted-model.ts'
import { placeIn, playSession } from './scripted/session.ts'
import { isCall, playVendor } from './scripted/vendor.ts'

/** The vendor in the client's own dialect, and one whose calls are translated. */
const pairs: Readonly<Record<string, readonly string[]>> = {
  'Claude Code': ['Anthropic', 'OpenAI'],
  Codex: ['OpenAI', 'Anthropic'],
  'Gemini CLI': ['Gemini', 'DeepSeek'],
  opencode: ['DeepSeek', 'Bedrock'],
}

/** Keys and ids that a gateway derives from its own users. */
const derived = ['prompt_cache_key', 'safety_identifier', 'user', 'session_id']

const withoutIds = (body: Buffer): string => {
  const fields: Json = JSON.parse(String(body))
  for (const each of derived) delete fields[each]
  return JSON.stringify(fields)
}

const key = (model: string) => `sk-hop-${model}`

/** Sends what the client sent once more, straight to the second gateway. */
const replay = async (hub: TestHub, calls: readonly RecordedCall[], person: Person) => {
  for (const { path, headers, body } of calls) {
    const own = Object.entries(headers).filter(
      ([name]) => !/^(host|connection|content-length|transfer-encoding|expect)$/.test(name),
    )
    const credential = /^(authorization|x-api-key|x-goog-api-key)$/
    const sent = own.map(([name, value]): [string, string] => [
      name,
      credential.test(name)
        ? `${name === 'authorization' ? 'Bearer ' : ''}${person.key}`
        : String(value),
    ])
    const response = await fetch(`${hub.gateway.url}${path}`, {
      method: 'POST',
      headers: sent,
      body: new Uint8Array(body),
    })
    await response.arrayBuffer()
  }
}

/** Counts the bodies that the vendor got by two gateways, and by one: equal, equal but for ids, different. */
const compare = (two: readonly Served[], one: readonly Served[]) => {
  const texts = one.map(each => String(each.body))
  const bare = one.map(each => withoutIds(each.body))
  const counts = { equal: 0, ids: 0, different: 0 }
  for (const { body } of two) {
    if (texts.includes(String(body))) counts.equal += 1
    else if (bare.includes(withoutIds(body))) counts.ids += 1
    else counts.different += 1
  }
  return counts
}

type Hops = { first: TestHub; second: TestHub; packages: string }

const measure = async ({ first, second, packages }: Hops, program: Program, rules: RuleSet) => {
  const home = mkdtempSync(join(tmpdir(), 'hub-hops-'))
  const proxy = await startRecordingProxy(first.gateway.url, false)
  const payer = await first.admin.addPerson(1_000_000)
  const reseller = await second.admin.addPerson(1_000_000)
  const { model: name, type } = rules
  const [inner] = await second.admin.addChannel(`${second.upstream.url}/hops-of-${type}`, {
    ...{ type, models: name, key: rules.key ?? key(name) },
  })
  const [outer] = await first.admin.addChannel(second.gateway.url, {
    ...{ type: 67, models: name, key: reseller.key },
  })
  const place = placeIn(home, { packages, url: proxy.url, key: payer.key })
  const model = scriptedModel(rules, place.work)
  second.upstream.forget()
  second.upstream.play(name, playVendor(model.decide))
  try {
    const faults = await playSession(program, { place, model: name, stalled: model.stalled })
    await first.settled()
    await second.settled()
    const { calls } = proxy.recorded
    const posts = calls.filter(each => each.body.length > 0)
    const two = second.upstream.served.filter(isCall)
    const charges = await Promise.all([
      chargesOf(first.gateway, payer.id),
      chargesOf(second.gateway, reseller.id),
    ])
    second.upstream.forget()
    const again = scriptedModel(rules, place.work)
    second.upstream.play(name, playVendor(again.answerAll))
    await replay(second, posts, reseller)
    const { equal, ids, different } = compare(two, second.upstream.served)
    const wrong = [
      ...faults,
      ...model.refusals,
      ...calls.filter(each => each.status >= 400).map(each => `${each.status} ${each.path}`),
      ...(different === 0 ? [] : [`${different} bodies are different`]),
      ...charges
        .filter(each => each.length !== two.length)
        .map(each => `${each.length} charges of ${two.length}`),
    ]
    for (const each of wrong) console.error(`${program.name}, ${rules.name}: ${each}`)
    return [program.packageName, rules.name, two.length, equal, ids, wrong.length ? 'NO' : 'yes']
  } finally {
    await first.admin.api('DELETE', `/api/channel/${outer?.id}`)
    await second.admin.api('DELETE', `/api/channel/${inner?.id}`)
    await proxy.close()
    rmSync(home, { recursive: true, force: true })
  }
}

export const chainedGateways: Part = {
  name: 'two-hops',
  title: 'Agents through two gateways',
  intro: `The channel of the first gateway is the second one, as type 67. After its ten turns, what each client sent goes straight to the
second gateway once more. Sound: the vendor then gets the same bytes, but for keys and ids that a gateway derives from its
users (\`${derived.join('`, `')}\`); no call is refused, the files have their last text, and each gateway charges each call once.`,
  columns: ['Client', 'Vendor', 'Vendor calls', 'Equal bodies', 'Equal but for ids', 'Sound'],
  run: async ({ engines }) => {
    const [engine] = engines
    if (!engine) return { rows: [], isSound: true }
    const { packages, remove } = clientFolder()
    const first = await startTestHub(engine)
    const second = await startTestHub(engine)
    try {
      for (const { model } of ruleSets)
        for (const hub of [first, second]) await hub.admin.setPrice(model, 'tokens', 1)
      const rows: (string | number)[][] = []
      for (const program of programs) {
        const vendors = pairs[program.name] ?? []
        if (vendors.length === 0 || !installProgram(packages, program)) continue
        for (const rules of ruleSets.filter(each => vendors.includes(each.name)))
          rows.push(await measure({ first, second, packages }, program, rules))
      }
      await first.audit()
      await second.audit()
      return { rows, isSound: rows.every(each => each.at(-1) === 'yes') }
    } finally {
      await first.close()
      await second.close()
      remove()
    }
  },
}

import type { Person } from '../../../harness/admin.ts'
import { accountOf, chargesOf, query } from '../../../harness/ledger.ts'
import { until } from '../../../harness/runner/until.ts'
import { startTestHub, type TestHub } from '../../../harness/test-hub.ts'
import { type Account, startVendor } from './vendor.ts'

/** The upstream dialect of a model. */
export type Kind = 'anthropic' | 'openai-chat' | 'openai-responses' | 'gemini'
export const kinds: readonly Kind[] = ['anthropic', 'openai-chat', 'openai-responses', 'gemini']

/** The model's name at the vendor selects the dialect; the requested name is billed (`+`). */
const channels: Record<Kind, { type: number; as: string; more?: object }> = {
  anthropic: { type: 14, as: 'claude-opus-4-6' },
  'openai-chat': { type: 1, as: 'deepseek-v4', more: { compatible_response: true } },
  'openai-responses': { type: 1, as: 'gpt-5.1-codex-max' },
  gemini: { type: 25, as: 'gemini-3-pro' },
}

export type Model = Account & { model: string }
export type Stage = {
  hub: TestHub
  url: string
  person: Person
  /** A new model with an account of its own, so that no test's refusals make another's channel rest. */
  model(kind: Kind, more?: object, vendorsName?: string): Promise<Model>
  /** Points charged for each call during `work`. */
  charged(work: () => Promise<unknown>): Promise<number[]>
  /** Notes on lost features in the newest log row. */
  notes(): Promise<string>
  close(): Promise<void>
}

/** A gateway on SQLite: which engine it has makes no difference to a dialect. */
export const startStage = async (): Promise<Stage> => {
  const hub = await startTestHub({ name: 'SQLite', available: true })
  const vendor = await startVendor()
  await hub.admin.setPrice('claude-cli-*', 'tokens', 1, 1)
  const person = await hub.admin.addPerson(100_000_000)
  let made = 0
  return {
    hub,
    url: hub.gateway.url,
    person,
    model: async (kind, more = {}, vendorsName = channels[kind].as) => {
      const { type, more: own = {} } = channels[kind]
      const model = `claude-cli-${++made}`
      const account = vendor.account()
      const mapping = { model_mapping: JSON.stringify({ [model]: `+${vendorsName}` }) }
      await hub.admin.addChannel(account.url, {
        type,
        models: model,
        ...mapping,
        ...own,
        ...more,
      })
      return { ...account, model }
    },
    charged: async work => {
      const before = (await chargesOf(hub.gateway, person.id)).length
      await work()
      await hub.settled()
      const charges = await chargesOf(hub.gateway, person.id)
      expectWhole(charges, await accountOf(hub.gateway, person.id))
      return charges.slice(before).map(each => each.amount)
    },
    notes: async () => {
      await hub.settled()
      const row = await until('the log row is there', async () => {
        const sql = `select metadata from logs where user_id = ${person.id} order by id desc limit 1`
        return (await query(hub.gateway, sql))[0]
      })
      return JSON.stringify(row.metadata)
    },
    close: async () => {
      await hub.close()
      await vendor.close()
    },
  }
}

/** The account agrees with its charges. */
const expectWhole = (charges: { amount: number }[], { used }: { used: number }) => {
  const sum = charges.reduce((total, { amount }) => total + amount, 0)
  if (used !== sum) throw new Error(`the account says ${used}, its charges ${sum}`)
}

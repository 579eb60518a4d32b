import type { Settings } from '@hub/contract'
import { expect } from 'vitest'
import type { TestHub } from '../harness/test-hub.ts'

type Key = keyof Settings['claude']
type Sent = { max_tokens?: number; thinking?: { budget_tokens?: number } }

/** The part of `settings.test.ts` about requests to a Claude upstream. */
export const claudeSettings = (hub: () => TestHub): Record<Key, () => Promise<void>> => {
  const set = (key: Key, value: string) => hub().admin.setOption(key, value)
  /** Returns the body that the vendor gets for a caller of openai-chat. */
  const sentBody = async (more: object): Promise<Sent> => {
    const { admin, upstream } = hub()
    const model = 'claude-sonnet-4-5'
    await admin.setPrice(model, 'tokens', 1)
    const [channel] = await admin.addChannel(`${upstream.url}/claude`, { type: 14, models: model })
    const { key } = await admin.addPerson(1_000_000)
    const messages = [{ role: 'user', content: 'Say hello.' }]
    const seen = await hub().ask({ key, model, body: { model, messages, ...more } })
    expect([seen.status, seen.complete]).toEqual([200, true])
    await admin.api('DELETE', `/api/channel/${channel?.id}`)
    return JSON.parse(String(upstream.served.at(-1)?.body)) as Sent
  }
  return {
    ClaudeDefaultMaxTokens: async () => {
      expect((await sentBody({})).max_tokens).toBe(8192)
      await set('ClaudeDefaultMaxTokens', '{"default":4000,"claude-sonnet-4-5":1234}')
      expect((await sentBody({})).max_tokens).toBe(1234)
      expect((await sentBody({ max_tokens: 77 })).max_tokens).toBe(77)
      await set('ClaudeDefaultMaxTokens', '{"default":8192}')
    },
    ClaudeBudgetTokensPercentage: async () => {
      const ask = { max_tokens: 10_000, enable_thinking: true }
      expect((await sentBody(ask)).thinking?.budget_tokens).toBe(8000)
      await set('ClaudeBudgetTokensPercentage', '0.5')
      expect((await sentBody(ask)).thinking?.budget_tokens).toBe(5000)
      await set('ClaudeBudgetTokensPercentage', '0.8')
    },
  }
}

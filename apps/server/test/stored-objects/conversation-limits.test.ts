import OpenAI from 'openai'
import { beforeAll, expect, it } from 'vitest'
import { reserveBytes, returnBytes } from '../../src/relay/request/body.ts'
import { onBothEngines } from '../harness.ts'
import { useRelayHub } from '../relay-hub.ts'

const text = 'x'.repeat(1_000_000)
const items = [{ type: 'message' as const, role: 'user' as const, content: text }]
/** Conversations of this text that fit into 32 MiB, with the little that is stored around each. */
const countMax = 33

const times = <T>(count: number, work: () => Promise<T>): Promise<T>[] =>
  Array.from({ length: count }, work)

/** Resolves with how many were answered; the others were refused since the store is full. */
const answered = async (requests: readonly Promise<unknown>[]): Promise<number> => {
  const results = await Promise.allSettled(requests)
  const refused = results.flatMap(each => (each.status === 'rejected' ? [each.reason] : []))
  for (const each of refused) expect(each).toMatchObject({ status: 409, code: 'stored_full' })
  return results.length - refused.length
}

onBothEngines('conversations that the gateway stores', open => {
  const hub = useRelayHub({}, open)

  beforeAll(async () => {
    const option = { key: 'KeepResponsesEnabled', value: 'true' }
    expect((await hub.app.root.put('/api/option/', option)).status).toBe(200)
  })

  /** The conversations of a new user. */
  const newUser = async () => {
    const person = await hub.app.person(1, { quota: 0 })
    const made = await person.post('/api/token/', { name: 'own', unlimited_quota: true })
    const apiKey = made.body.data.key
    return new OpenAI({ apiKey, baseURL: `${hub.url}/v1`, maxRetries: 0 }).conversations
  }
  /** Takes all memory for bodies. Returns what gives a part of it free, and all of it by default. */
  const fillMemory = () => {
    const { app } = hub.app
    const parts: { bytes: number }[] = []
    const size = 16 * 1024
    const fill = () => {
      for (;;) {
        const part = { bytes: 0 }
        reserveBytes(app, part, size)
        parts.push(part)
      }
    }
    expect(fill).toThrow(expect.objectContaining({ code: 'server.busy' }))
    return (bytes = Number.POSITIVE_INFINITY) => {
      for (const each of parts.splice(-Math.min(parts.length, Math.ceil(bytes / size))))
        returnBytes(app, each)
    }
  }

  it('are changed by each of 30 requests at the same time', async () => {
    const user = await newUser()
    const { id } = await user.create({ items })
    const change = () => user.update(id, { metadata: { a: 'b' } })
    expect(await answered(times(30, change))).toBe(30)
  })

  it('have 32 MiB for a user who makes many at the same time', async () => {
    const user = await newUser()
    expect(await answered(times(countMax + 5, () => user.create({ items })))).toBe(countMax)
  })

  it('have 32 MiB for a user who adds to many at the same time', async () => {
    const user = await newUser()
    const made = await Promise.all(times(countMax + 5, () => user.create()))
    const grown = made.map(({ id }) => user.items.create(id, { items }))
    expect(await answered(grown)).toBe(countMax)
  })

  it('are changed once the memory for bodies has room, which the change returns', async () => {
    const user = await newUser()
    const { id } = await user.create({ items })
    const change = () => user.update(id, { metadata: { a: 'b' } })
    const free = fillMemory()
    try {
      // The body of the request has room.
      free(16_384)
      await expect(change()).rejects.toMatchObject({ status: 503 })
      free(1_100_000)
      await change()
      await change()
    } finally {
      free()
    }
  })
})

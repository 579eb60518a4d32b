import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultIn } from '../harness/frames.ts'
import { chargesOf } from '../harness/ledger.ts'
import { describeOneEngine } from '../harness/runner/describe-engines.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

/** Fields of a channel that are seen only when a call goes through it. */
describeOneEngine(engine => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startTestHub(engine)
    await hub.admin.setOption('PreConsumedQuota', '0')
    await hub.admin.setOption('RetryTimes', '0')
  })
  afterAll(() => hub?.close())

  const image = `data:image/png;base64,${'iVBORw0KGgoAAAANSUhEUg'.repeat(60)}`
  const withImage = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is on it?' },
        { type: 'image_url', image_url: { url: image } },
      ],
    },
  ]

  it('pre_cost sets how much of the prompt is reserved, and never the charge', async () => {
    // An image counts 1,600 tokens; the words of the prompt are fewer than 200, and so is the answer.
    const [channel] = await hub.admin.addChannel(`${hub.upstream.url}/pre`, { models: 'pre:*' })
    await hub.admin.setPrice('pre:*', 'tokens', 1)
    const set = (pre_cost: number) =>
      hub.admin.api('PUT', '/api/channel/', { id: channel?.id, pre_cost })
    const call = async (quota: number, messages: object[]) => {
      const person = await hub.admin.addPerson(quota)
      const body = { messages, max_tokens: 10 }
      const seen = await hub.ask({ key: person.key, model: 'pre:in=20;out=5', body })
      await hub.settled()
      const charges = await chargesOf(hub.gateway, person.id)
      return [faultIn(seen.text), charges.map(each => each.amount)]
    }
    const long = [{ role: 'user', content: 'word '.repeat(1_000) }]
    const refused = ['insufficient_quota', []]
    const charged = [undefined, [25]]

    await set(1)
    expect([await call(500, withImage), await call(500, long)]).toEqual([refused, refused])
    await set(2)
    expect([await call(500, withImage), await call(500, long)]).toEqual([charged, refused])
    await set(3)
    expect([await call(500, withImage), await call(500, long)]).toEqual([charged, charged])
    await hub.audit()
  })

  it('a suffix after # in a model’s name is sent to thinking models only', async () => {
    const models = 'gpt-5.4,gpt-4o-mini,mapped'
    await hub.admin.addChannel(`${hub.upstream.url}/think`, {
      models,
      priority: 9,
      model_mapping: JSON.stringify({ mapped: 'gpt-5.4' }),
    })
    for (const model of models.split(',')) await hub.admin.setPrice(model, 'tokens', 1)
    const limits = { limit_model_setting: { enabled: true, models: ['gpt-5.4'] } }
    const anybody = await hub.admin.addPerson(1_000_000)
    const limited = await hub.admin.addPerson(1_000_000, { setting: { limits } })
    const sent = async (model: string, key = anybody.key) => {
      hub.upstream.forget()
      const { status } = await hub.ask({ key, model })
      const body = hub.upstream.served[0]?.body.toString()
      const { model: name, reasoning_effort } = JSON.parse(body ?? '{}')
      return [status, name, reasoning_effort]
    }
    expect(await sent('gpt-5.4#high')).toEqual([200, 'gpt-5.4', 'high'])
    expect(await sent('gpt-5.4#low', limited.key)).toEqual([200, 'gpt-5.4', 'low'])
    expect(await sent('mapped#medium')).toEqual([200, 'gpt-5.4', 'medium'])
    expect(await sent('gpt-5.4')).toEqual([200, 'gpt-5.4', undefined])
    expect(await sent('gpt-5.4#whatever')).toEqual([200, 'gpt-5.4', undefined])
    expect(await sent('gpt-4o-mini#high')).toEqual([200, 'gpt-4o-mini', undefined])
    expect((await sent('#high'))[0]).toBe(404)
    await hub.settled()
    const logged = await hub.admin.api<{ data: { model_name: string }[] }>(
      'GET',
      '/api/log/?size=100&log_type=2',
    )
    for (const { model_name } of logged.data) expect(model_name).not.toContain('#')
  })
})

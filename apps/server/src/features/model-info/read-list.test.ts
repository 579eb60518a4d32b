import { expect, it } from 'vitest'
import { onBothEnginesInLongRuns } from '../../../test/harness.ts'
import { parseModelInfoList } from './read-list.ts'

const read = (value: unknown) => parseModelInfoList(JSON.stringify(value))
const complete = {
  name: 'GPT-4o',
  description: 'Sees pictures',
  context_length: 128_000,
  max_tokens: 16_384,
  input_modalities: ['text', 'image'],
  output_modalities: ['text'],
  tags: ['Hot'],
  support_url: ['https://vendor.example/docs'],
}
const stored = {
  ...complete,
  model: 'gpt-4o',
  input_modalities: '["text","image"]',
  output_modalities: '["text"]',
  tags: '["Hot"]',
  support_url: '["https://vendor.example/docs"]',
}

it('a list is an array, or stands in `data`; prices beside the description do not matter', () => {
  const list = [{ model: 'gpt-4o', type: 'tokens', input: 1, model_info: complete }]
  expect(read(list)).toEqual({ infos: [stored], skipped: [] })
  expect(read({ success: true, data: list })).toEqual({ infos: [stored], skipped: [] })
})

it('lists may be arrays, texts of arrays or one bare text; what is missing has its default', () => {
  const { infos, skipped } = read([
    {
      model: 'm',
      model_info: {
        input_modalities: '["text"]',
        output_modalities: 'audio',
        tags: null,
        support_url: 'https://vendor.example',
      },
    },
  ])
  expect(skipped).toEqual([])
  expect(infos).toEqual([
    {
      ...{ model: 'm', name: 'm', description: '', context_length: 0, max_tokens: 0 },
      input_modalities: '["text"]',
      output_modalities: '["audio"]',
      tags: '[]',
      support_url: '["https://vendor.example"]',
    },
  ])
})

it('each invalid entry is named with its reason, and the last one of a model counts', () => {
  const { infos, skipped } = read([
    { model: 'm', model_info: { name: 'first' } },
    { model: 'm', model_info: { name: 'second' } },
    { model: 'bare', input: 1 },
    { model: 'many', model_info: { context_length: 'a lot' } },
    { model: 'script', model_info: { support_url: ['javascript:alert(1)'] } },
    { model: 'object', model_info: { tags: { a: 1 } } },
    { model_info: {} },
    'nothing',
  ])
  expect(infos.map(each => each.name)).toEqual(['second'])
  expect(skipped.map(({ model, why }) => [model, why.split(':')[0]])).toEqual([
    ['m', 'it stands twice'],
    ['bare', '`model_info`'],
    ['many', '`context_length`'],
    ['script', '`support_url`'],
    ['object', '`tags`'],
    ['', '`model`'],
    ['', 'Invalid input'],
  ])
})

it('a text without any valid entry is refused with the reason', () => {
  const refusal = (text: string) => {
    try {
      parseModelInfoList(text)
      return undefined
    } catch (error) {
      return String((error as Error).message)
    }
  }
  expect(refusal('<html>')).toContain('It is not JSON.')
  expect(refusal('[]')).toContain('It is empty.')
  expect(refusal('[{"model":"m"}]')).toContain('model_info')
  expect(refusal('{"prices":[]}')).toBeDefined()
})

onBothEnginesInLongRuns('a list of model information', open => {
  it('is read for administrators, and nothing is stored', async () => {
    const hub = await open()
    const path = '/api/model_info/read'
    const text = JSON.stringify({ data: [{ model: 'gpt-4o', model_info: complete }] })
    expect((await hub.guest().post(path, { text })).status).toBe(401)
    const { body } = await hub.root.post(path, { text })
    expect(body.data).toEqual({ infos: [stored], skipped: [] })
    expect((await hub.guest().get('/api/model_info/')).body.data).toEqual([])
    const code = async (input: object) => (await hub.root.post(path, input)).body.code
    expect(await code({ address: 'http://127.0.0.1:1/list.json' })).toBe('price.source')
    expect(await code({ text, address: 'https://vendor.example' })).toBe('request.invalid')
    expect(await code({ text: '<html>' })).toBe('price.list_unavailable')
  })
})

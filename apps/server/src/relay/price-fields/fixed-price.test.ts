import { callerFormats, type Edits, openaiChat } from '@hub/dialects'
import { expect, it } from 'vitest'
import { checkFixedPrice } from './fixed-price.ts'

const requested = {
  model: 'dall-e-3',
  prompt: 'a cat',
  size: '1024x1024',
  extra: { size: 1, hue: 2 },
}
const image = (more: object = {}) => {
  const read = callerFormats.openaiImages.read(
    Buffer.from(JSON.stringify({ ...requested, ...more })),
  )
  if (!read.ok) throw new Error(read.hint)
  return read.parsed
}
const check =
  (after: Edits, before: Edits = {}) =>
  () =>
    checkFixedPrice(image(), before, after)

it.each<[string, Edits]>([
  ['quality', { quality: 'hd' }],
  ['size', { size: '1792x1024' }],
  ['size', { size: undefined }],
  ['Size', { Size: '1792x1024' }],
  ['n', { n: 2 }],
  ['batch_size', { batch_size: 2 }],
  ['style', { style: 'vector_illustration' }],
  ['partial_images', { partial_images: 3 }],
  ['prompt', { prompt: 'x'.repeat(9_000) }],
  ['input', { input: 'x' }],
  ['parameters.imageSize', { parameters: { imageSize: '4K' } }],
  ['extra.size', { extra: { size: 2, hue: 2 } }],
  ['extra.size', { extra: undefined }],
  ['config.0.seconds', { config: [{ seconds: 8 }] }],
])('refuses an operator that changes %s of an image', (name, edits) => {
  expect(check(edits)).toThrow(`changes '${name}'`)
  expect(check(edits)).toThrow(expect.objectContaining({ code: 'request.price_field' }))
})

it('leaves what does not change the price, what the caller said, and what the gateway wrote', () => {
  expect(check({ user: 'u-1', output_format: 'webp', extra: { size: 1, hue: 3 } })).not.toThrow()
  expect(check({ size: '1024x1024', prompt: 'a cat' })).not.toThrow()
  expect(check({ quality: 'hd', model: 'm' }, { quality: 'hd' })).not.toThrow()
})

it('lets the quality of an image change that is charged by its reported tokens, and no count', () => {
  const change = (after: Edits) => () => checkFixedPrice(image({ model: 'gpt-image-1' }), {}, after)
  expect(change({ quality: 'high', size: '1536x1024' })).not.toThrow()
  expect(change({ n: 2 })).toThrow(/n/)
  expect(change({ batch_size: 2 })).toThrow()
})

it('leaves a chat, which is charged by its answer', () => {
  const read = openaiChat.read(Buffer.from('{"model":"m","messages":[]}'))
  if (!read.ok) throw new Error(read.hint)
  expect(() => checkFixedPrice(read.parsed, {}, { size: 1, instructions: 'x' })).not.toThrow()
})

import { describe, expect, it } from 'vitest'
import { addressOf } from '../address.ts'
import { conform } from '../conform.ts'
import provider from './index.ts'

conform(provider, import.meta.url, {}, { other: 'westus' })

const [endpoint] = provider.serves.speech!
const { encodeRequest } = endpoint!.translation!
const request = { model: 'tts-1', input: 'hi', voice: 'alloy' }
const encode = (fields: object, voice: Record<string, string> = {}) =>
  encodeRequest({ ...request, ...fields }, { voice })
const ssml = (fields: object, voice?: Record<string, string>) => {
  const encoded = encode(fields, voice)
  if ('refused' in encoded) throw new Error(encoded.refused)
  return String(encoded.body)
}

describe('speech of Azure Speech', () => {
  it.each([
    ['westus', 'https://westus.tts.speech.microsoft.com/cognitiveservices/v1'],
    ['', undefined],
    ['evil.example/x?', undefined],
  ])('the region %j of the channel makes the address', (other, address) => {
    const channel = { model: 'tts-1', stream: false, options: {}, other, baseUrl: '' }
    expect(addressOf(provider, endpoint!, channel)).toBe(address)
  })

  it('maps OpenAI’s voices as One Hub does, or as the channel says', () => {
    expect(ssml({})).toContain("xml:lang='zh-CN'><voice name='zh-CN-YunxiNeural'>hi</voice>")
    expect(ssml({ voice: 'fable' })).toContain("<mstts:express-as role='Boy'>hi</mstts:express-as>")
    const voice = { alloy: 'en-US-AvaNeural|Girl', echo: '' }
    expect(ssml({}, voice)).toContain(
      "<voice name='en-US-AvaNeural'><mstts:express-as role='Girl'>hi<",
    )
    expect(ssml({ voice: 'echo' }, voice)).toContain("name='zh-CN-YunyangNeural'")
    expect(ssml({ voice: 'iu-Cans-CA-TaqqiqNeural' })).toContain("xml:lang='iu-Cans-CA'")
    expect(ssml({ voice: 'my-own' })).toContain("xml:lang='en-US'><voice name='my-own'>")
  })

  it('escapes the text and the voice, which cannot close an element', () => {
    expect(ssml({ input: `a<break/>&"'\0b`, voice: "x'/><y" })).toContain(
      "<voice name='x&apos;/&gt;&lt;y'>a&lt;break/&gt;&amp;&quot;&apos; b</voice></speak>",
    )
  })

  it('drops with a warning what the vendor does not have', () => {
    expect(encode({ instructions: 'whisper', seed: 1 })).toMatchObject({
      dropped: ['instructions', 'seed'],
    })
  })

  it.each([
    ['response_format', { response_format: 'aac' }],
    ['response_format', { response_format: 'toString' }],
    ['speed', { speed: 4 }],
    ['speed', { speed: 'fast' }],
    ['voice', { voice: { id: 'x' } }],
    ['voice', { voice: undefined }],
  ])('refuses a value of %s that it cannot obey', (name, fields) => {
    expect(encode(fields)).toEqual({ refused: expect.stringContaining(`'${name}'`) })
  })
})

import { describe, expect, it } from 'vitest'
import provider from './index.ts'

const images = provider.serves.images![0]!.translation!
const speech = provider.serves.speech![0]!.translation!
const answerOf = (fields: object) => ({
  body: Buffer.from(JSON.stringify(fields)),
  contentType: 'application/json',
})
const draw = (fields: object) =>
  images.encodeRequest({ model: 'gemini-2.5-flash-image', prompt: 'a dot', ...fields }, {})
const say = (fields: object, options = {}) =>
  speech.encodeRequest({ model: 'm-tts', input: 'hi', voice: 'alloy', ...fields }, options)
const inline = (mimeType: string, data: string) => ({
  candidates: [{ content: { parts: [{ inlineData: { mimeType, data } }] } }],
})

describe('images of Gemini', () => {
  // https://ai.google.dev/gemini-api/docs/image-generation
  it('asks a model that chats for an image, and charges its tokens', () => {
    expect(draw({ size: '1536x1024', user: 'u' })).toEqual({
      body: {
        contents: [{ role: 'user', parts: [{ text: 'a dot' }] }],
        generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: '3:2' } },
      },
      dropped: ['user'],
    })
    const usageMetadata = {
      promptTokenCount: 8,
      candidatesTokenCount: 1290,
      totalTokenCount: 1298,
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1290 }],
    }
    const answer = images.decodeAnswer!(
      answerOf({ ...inline('image/png', 'aQ=='), usageMetadata }),
      {
        model: 'gemini-2.5-flash-image',
      },
    )
    expect(answer).toMatchObject({
      body: { created: 0, data: [{ b64_json: 'aQ==' }] },
      usage: { input: 8, imageOutput: 1290 },
    })
  })

  it('takes the vendor’s own settings as they are', () => {
    const generationConfig = { seed: 5, imageConfig: { imageSize: '2K' } }
    expect(draw({ generationConfig, size: 'auto' })).toMatchObject({
      body: {
        generationConfig: {
          seed: 5,
          responseModalities: ['IMAGE'],
          imageConfig: { imageSize: '2K' },
        },
      },
      dropped: [],
    })
  })

  it.each([
    ['n', { n: 2 }],
    ['n', { model: 'imagen-4.0-generate-001', n: 5 }],
    ['size', { model: 'imagen-4.0-generate-001', size: '1536x1024' }],
    ['output_format', { output_format: 'webp' }],
  ])('refuses a value of %s that it cannot obey', (name, fields) => {
    expect(draw(fields)).toEqual({ refused: expect.stringContaining(`'${name}'`) })
  })

  it.each([
    [{ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }, 'PROHIBITED_CONTENT'],
    [{ candidates: [{ finishReason: 'IMAGE_SAFETY' }] }, 'IMAGE_SAFETY'],
    [{ predictions: [{ raiFilteredReason: 'filtered out' }] }, 'filtered out'],
  ])('takes a blocked prompt for the caller’s mistake: %j', (answer, reason) => {
    for (const model of ['gemini-2.5-flash-image', 'imagen-4.0-generate-001'])
      expect(images.decodeAnswer!(answerOf(answer), { model })).toBeUndefined()
    expect(images.decodeFault!(answerOf(answer).body)).toEqual({
      message: expect.stringContaining(reason),
      type: 'invalid_request_error',
      code: 'content_filter',
    })
  })
})

describe('speech of Gemini', () => {
  it('gives a style to models that read a part of the text as one, and to no others', () => {
    const encode = (model: string) =>
      speech.encodeRequest({ model, input: 'hi', voice: 'alloy', instructions: 'Softly' }, {})
    expect(encode('gemini-2.5-flash-tts')).toMatchObject({
      body: { contents: [{ parts: [{ text: 'Softly:\nhi' }] }] },
    })
    const refused = { refused: expect.stringContaining("'instructions'") }
    expect(encode('gemini-3.8-flash-tts')).toEqual(refused)
  })

  it('answers WAV unless PCM is requested', () => {
    const samples = Buffer.from([1, 2, 3, 4])
    const answer = speech.decodeAnswer!(
      answerOf(inline('audio/L16;codec=pcm;rate=16000', samples.toString('base64'))),
      {},
    )
    const { body, contentType } = answer as { body: Buffer; contentType: string }
    expect([contentType, body.length, body.subarray(44)]).toEqual(['audio/wav', 48, samples])
    expect([body.toString('latin1', 0, 4), body.readUInt32LE(4), body.readUInt32LE(24)]).toEqual([
      'RIFF',
      40,
      16_000,
    ])
  })

  it('maps OpenAI’s voices as the channel says', () => {
    const voiceOf = (encoded: object) => JSON.stringify(encoded)
    expect(voiceOf(say({}))).toContain('"voiceName":"Kore"')
    expect(voiceOf(say({}, { voice: { alloy: 'Sulafat' } }))).toContain('"voiceName":"Sulafat"')
    expect(voiceOf(say({ voice: 'Enceladus' }))).toContain('"voiceName":"Enceladus"')
  })

  it.each([
    ['response_format', { response_format: 'mp3' }],
    ['speed', { speed: 1.5 }],
  ])('refuses a value of %s that it cannot obey', (name, fields) => {
    expect(say(fields)).toEqual({ refused: expect.stringContaining(`'${name}'`) })
  })
})

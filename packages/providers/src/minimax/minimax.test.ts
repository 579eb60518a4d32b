import { describe, expect, it } from 'vitest'
import { conform } from '../conform.ts'
import provider from './index.ts'

conform(provider, import.meta.url, {
  'fault-200-balance.json': 'upstream.funds',
  'fault-200-busy.json': 'upstream.busy',
  'fault-200-key.json': 'upstream.credential',
})

const { encodeRequest, decodeAnswer, decodeEvent, decodeFault } =
  provider.serves.speech![0]!.translation!
const request = { model: 'speech-2.8-hd', input: 'hi', voice: 'alloy' }
const encode = (fields: object, voice: Record<string, string> = {}) =>
  encodeRequest({ ...request, ...fields }, { voice })
const answer = (fields: object) =>
  decodeAnswer!(
    { body: Buffer.from(JSON.stringify(fields)), contentType: 'application/json' },
    request,
  )

describe('speech of MiniMax', () => {
  it('maps voices, emotions and formats as One Hub does', () => {
    expect(encode({ voice: 'nova', speed: 2 }, { nova: 'my_voice|happy' })).toMatchObject({
      body: { voice_setting: { voice_id: 'my_voice', emotion: 'happy', speed: 2 } },
    })
    expect(encode({ voice: 'English_Graceful_Lady' })).toMatchObject({
      body: { voice_setting: { voice_id: 'English_Graceful_Lady' } },
    })
    expect(encode({ response_format: 'mp3-1-32000-128000' })).toMatchObject({
      body: { audio_setting: { format: 'mp3', channel: 1, sample_rate: 32000, bitrate: 128000 } },
    })
    expect(encode({ response_format: 'pcm' })).toMatchObject({
      body: { audio_setting: { format: 'pcm', sample_rate: 24000 } },
    })
  })

  it('passes the vendor’s own fields on', () => {
    expect(encode({ language_boost: 'auto', voice_setting: { pitch: 3 } })).toMatchObject({
      body: {
        language_boost: 'auto',
        voice_setting: { voice_id: 'female-chengshu', speed: 1, pitch: 3 },
      },
    })
  })

  it.each([
    ['response_format', { response_format: 'opus' }],
    ['response_format', { response_format: 'opus-1-32000-128000' }],
    ['speed', { speed: 0.25 }],
  ])('refuses a value of %s that it cannot obey', (name, fields) => {
    expect(encode(fields)).toEqual({ refused: expect.stringContaining(`'${name}'`) })
  })

  it('asks for a stream that does not repeat its audio at the end, in a format that can be streamed', () => {
    expect(encode({ stream_format: 'sse' })).toMatchObject({
      body: { stream: true, stream_options: { exclude_aggregated_audio: true } },
    })
    const refused = { refused: expect.stringContaining("'response_format'") }
    expect(encode({ stream_format: 'sse', response_format: 'wav' })).toEqual(refused)
  })

  it('decodes the events of a stream, and its error', () => {
    const base_resp = { status_code: 0, status_msg: '' }
    expect(decodeEvent!({ data: { audio: '000102', status: 1 }, base_resp })).toEqual({
      events: [{ type: 'speech.audio.delta', audio: 'AAEC' }],
    })
    expect(decodeEvent!({ data: { status: 2 }, base_resp })).toMatchObject({ isLast: true })
    const failure = { base_resp: { status_code: 1002, status_msg: 'rate limit' } }
    expect(decodeEvent!(failure)).toEqual({ failure })
    expect(decodeEvent!({})).toBeUndefined()
  })

  it('takes an answer without audio for an error, and tells whose it is', () => {
    expect(answer({ base_resp: { status_code: 1008, status_msg: 'insufficient balance' } })).toBe(
      undefined,
    )
    expect(answer({ data: null, base_resp: { status_code: 0 } })).toBeUndefined()
    const fault = (code: number) =>
      decodeFault!(Buffer.from(`{"base_resp":{"status_code":${code},"status_msg":"m"}}`))
    expect(fault(1026)).toMatchObject({ code: '1026', type: 'invalid_request_error', message: 'm' })
    expect(fault(1008)).toMatchObject({ code: '1008', type: '' })
  })

  it('charges the characters of the request where the vendor counts none', () => {
    expect(answer({ data: { audio: '00ff' }, extra_info: { audio_format: 'wav' } })).toEqual({
      body: Buffer.from([0, 255]),
      contentType: 'audio/wav',
    })
  })
})

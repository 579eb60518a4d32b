import { isRefusal, parseObject, readImageRequest, readSpeechRequest } from '../openai-fields.ts'
import type { OperationTranslation } from '../operation-translation.ts'

/** Models that take JSON. Those of FLUX.2 take a form: https://developers.cloudflare.com/workers-ai/models */
export const imageModels =
  /^@cf\/((stabilityai|lykon|bytedance|runwayml|leonardo)\/|black-forest-labs\/flux-1-)\w[\w.-]*$/

/** Its images have one size: https://developers.cloudflare.com/workers-ai/models/flux-1-schnell */
const hasFixedSize = (model: unknown): boolean => /\/flux-1-/.test(String(model))
const fixedSize = '1024x1024'

/**
 * Some models answer the bytes of a file, others base64 in JSON.
 * https://developers.cloudflare.com/workers-ai/models/stable-diffusion-xl-base-1.0
 */
export const images: OperationTranslation = {
  encodeRequest: request => {
    const read = readImageRequest(request, {})
    if (isRefusal(read)) return read
    const { model, size = 'auto', ...fields } = read.fields
    const { dropped } = read
    if (size === 'auto' || (hasFixedSize(model) && size === fixedSize))
      return { body: fields, dropped }
    const [, width, height] = /^(\d{3,4})x(\d{3,4})$/.exec(String(size)) ?? []
    if (hasFixedSize(model)) return { refused: `'size' must be ${fixedSize} for this model.` }
    if (!width || !height) return { refused: "'size' must be 'auto', or a size such as 1024x1024." }
    return { body: { ...fields, width: Number(width), height: Number(height) }, dropped }
  },
  decodeAnswer: ({ body, contentType }) => {
    const image = contentType.startsWith('image/')
      ? body.toString('base64')
      : parseObject(body)?.result?.image
    return typeof image === 'string'
      ? { body: { created: 0, data: [{ b64_json: image }] } }
      : undefined
  },
}

export const speechModels = /^@cf\/deepgram\/aura-[\w-]+$/

/** The vendor has no equivalents of OpenAI's voices: https://developers.cloudflare.com/workers-ai/models/aura-1 */
const voices = {
  alloy: 'asteria',
  echo: 'orion',
  fable: 'angus',
  onyx: 'zeus',
  nova: 'luna',
  shimmer: 'stella',
}

const formats = { mp3: 'mp3', opus: 'opus', aac: 'aac', flac: 'flac', wav: 'wav', pcm: 'pcm' }

/** OpenAI's PCM has 24,000 samples a second: https://platform.openai.com/docs/guides/text-to-speech */
const encodings: Readonly<Record<string, object>> = {
  opus: { encoding: 'opus', container: 'ogg' },
  wav: { encoding: 'linear16', container: 'wav' },
  pcm: { encoding: 'linear16', container: 'none', sample_rate: 24_000 },
}

/** The answer is the audio. */
export const speech: OperationTranslation = {
  encodeRequest: (request, options) => {
    const support = { voices, formats, speed: { min: 1, max: 1 } }
    const read = readSpeechRequest(request, options, support)
    if (isRefusal(read)) return read
    const { input, voice, format, unknownFields, dropped } = read
    const encoding = encodings[format] ?? { encoding: format }
    return { body: { text: input, speaker: voice, ...encoding, ...unknownFields }, dropped }
  },
}

/** Models that take the bytes of a file: https://developers.cloudflare.com/workers-ai/models/whisper */
export const transcriptionModels = /^@cf\/openai\/whisper(-tiny-en)?$/

const transcriptFormats = ['json', 'text', 'vtt']

/** The file is the whole body, so that a language or a prompt cannot be sent. */
export const transcriptions: OperationTranslation = {
  encodeRequest: ({ model: _model, file: _file, response_format: format = 'json', ...rest }) =>
    transcriptFormats.includes(String(format))
      ? { body: {}, file: 'file', dropped: Object.keys(rest) }
      : {
          refused: `'response_format' must be one of ${transcriptFormats.join(', ')} for this model.`,
        },
  decodeAnswer: ({ body }, { response_format: format = 'json' }) => {
    const { text, vtt } = parseObject(body)?.result ?? {}
    if (typeof text !== 'string') return undefined
    if (format === 'json') return { body: { text } }
    const answer: unknown = format === 'vtt' ? vtt : `${text}\n`
    if (typeof answer !== 'string') return undefined
    return { body: Buffer.from(answer), contentType: 'text/plain; charset=utf-8' }
  },
}

import { decodeCommonFault, noUsage, type Usage } from '@hub/dialects'
import { isRefusal, parseObject, readSpeechRequest, voiceOptions } from '../openai-fields.ts'
import type { OperationTranslation } from '../operation-translation.ts'

/** One Hub's: a voice, or a voice and an emotion. */
const voices = {
  alloy: 'female-chengshu',
  echo: 'male-qn-qingse',
  fable: 'male-qn-jingying',
  onyx: 'presenter_male',
  nova: 'presenter_female',
  shimmer: 'audiobook_female_1',
}

export const options = voiceOptions(voices)

/** Only whole answers may be WAV: https://platform.minimax.io/docs/api-reference/speech-t2a-http */
const streamedFormats = { mp3: 'mp3', flac: 'flac', pcm: 'pcm' }
const formats = { ...streamedFormats, wav: 'wav' }
const speed = { min: 0.5, max: 2 }

const contentTypes: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  pcm: 'audio/pcm',
}

type AudioSetting = { format: string; channel?: number; sample_rate?: number; bitrate?: number }

/** OpenAI's PCM has 24,000 samples a second: https://platform.openai.com/docs/guides/text-to-speech */
const pcmRate = 24_000

/** One Hub also reads `format-channel-samplerate-bitrate`, such as `mp3-1-32000-128000`. */
const readAudioSetting = (format: unknown): AudioSetting | undefined => {
  const [, type = '', channel, rate, bits] =
    /^([a-z]+[0-9]?)-([12])-(\d{4,5})-(\d{4,6})$/.exec(String(format)) ?? []
  if (!(type in contentTypes)) return undefined
  return {
    format: type,
    channel: Number(channel),
    sample_rate: Number(rate),
    bitrate: Number(bits),
  }
}

/** Without this the last event repeats the audio of all events. */
const streamFields = { stream: true, stream_options: { exclude_aggregated_audio: true } }
/** 1 is a part of the audio, 2 the end. */
const lastStatus = 2

// biome-ignore lint/suspicious/noExplicitAny: no schema has checked the fields of a vendor's event.
type Fields = Record<string, any>

/** https://platform.openai.com/docs/api-reference/audio/speech-audio-delta-event */
const deltaEvent = (hex: string) => ({
  type: 'speech.audio.delta',
  audio: Buffer.from(hex, 'hex').toString('base64'),
})

/** A Chinese character counts as two. */
const readUsage = (info: Fields | undefined): Usage | undefined => {
  const characters: unknown = info?.usage_characters
  return Number.isSafeInteger(characters)
    ? { ...noUsage(), input: characters as number }
    : undefined
}

/** https://platform.openai.com/docs/api-reference/audio/speech-audio-done-event */
const doneEvent = (usage: Usage | undefined) => {
  const input = usage?.input ?? 0
  const counts = { input_tokens: input, output_tokens: 0, total_tokens: input }
  return { type: 'speech.audio.done', usage: counts }
}

/** Audio comes as hexadecimal text inside JSON: https://platform.minimax.io/docs/api-reference/speech-t2a-http */
export const speech: OperationTranslation = {
  encodeRequest: (request, channelOptions) => {
    const detailed = readAudioSetting(request.response_format)
    const plain = detailed ? { ...request, response_format: detailed.format } : request
    const isStream = request.stream_format === 'sse'
    const allowed = isStream ? streamedFormats : formats
    const read = readSpeechRequest(plain, channelOptions, { voices, formats: allowed, speed })
    if (isRefusal(read)) return read
    const { voice_setting, audio_setting, ...rest } = read.unknownFields
    const { format } = read
    return {
      body: {
        ...rest,
        model: request.model,
        text: read.input,
        ...(isStream ? streamFields : { stream: false }),
        output_format: 'hex',
        voice_setting: {
          voice_id: read.voice,
          speed: read.speed,
          ...(read.style ? { emotion: read.style } : {}),
          ...voice_setting,
        },
        audio_setting: {
          ...(detailed ?? { format, ...(format === 'pcm' ? { sample_rate: pcmRate } : {}) }),
          ...audio_setting,
        },
      },
      dropped: read.dropped,
    }
  },
  decodeAnswer: ({ body }) => {
    const { data, extra_info: info } = parseObject(body) ?? {}
    const audio: unknown = data?.audio
    if (typeof audio !== 'string' || audio === '') return undefined
    const usage = readUsage(info)
    return {
      body: Buffer.from(audio, 'hex'),
      contentType: contentTypes[info?.audio_format] ?? 'audio/mpeg',
      ...(usage ? { usage } : {}),
    }
  },
  decodeEvent: event => {
    const { data, extra_info: info, base_resp: outcome } = event as Fields
    if (outcome?.status_code) return { failure: event }
    if (!data) return undefined
    if (data.status !== lastStatus)
      return { events: data.audio ? [deltaEvent(String(data.audio))] : [] }
    const usage = readUsage(info)
    return { events: [doneEvent(usage)], isLast: true, ...(usage ? { usage } : {}) }
  },
  decodeFault: body => {
    const fault = decodeCommonFault(body)
    return callersCodes.has(fault.code) ? { ...fault, type: 'invalid_request_error' } : fault
  },
}

/** Sensitive text, wrong parameters, too little to say, unknown voice: https://platform.minimax.io/docs/api-reference/errorcode */
const callersCodes: ReadonlySet<string> = new Set(['1026', '1027', '1042', '2013', '2037', '20132'])

import { decodeCommonFault, noUsage } from '@hub/dialects'
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

/** Whole answers may be WAV too: https://platform.minimax.io/docs/api-reference/speech-t2a-http */
const formats = { mp3: 'mp3', wav: 'wav', flac: 'flac', pcm: 'pcm' }
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

/** Audio comes as hexadecimal text inside JSON: https://platform.minimax.io/docs/api-reference/speech-t2a-http */
export const speech: OperationTranslation = {
  encodeRequest: (request, channelOptions) => {
    const detailed = readAudioSetting(request.response_format)
    const plain = detailed ? { ...request, response_format: detailed.format } : request
    const read = readSpeechRequest(plain, channelOptions, { voices, formats, speed })
    if (isRefusal(read)) return read
    const { voice_setting, audio_setting, ...rest } = read.unknownFields
    const { format } = read
    return {
      body: {
        ...rest,
        model: request.model,
        text: read.input,
        stream: false,
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
  decodeReply: ({ body }) => {
    const { data, extra_info: info } = parseObject(body) ?? {}
    const audio: unknown = data?.audio
    if (typeof audio !== 'string' || audio === '') return undefined
    const characters: unknown = info?.usage_characters
    return {
      body: Buffer.from(audio, 'hex'),
      contentType: contentTypes[info?.audio_format] ?? 'audio/mpeg',
      // A Chinese character counts as two.
      ...(Number.isSafeInteger(characters)
        ? { usage: { ...noUsage(), input: characters as number } }
        : {}),
    }
  },
  decodeFault: body => {
    const fault = decodeCommonFault(body)
    return callersCodes.has(fault.code) ? { ...fault, type: 'invalid_request_error' } : fault
  },
}

/** Sensitive text, wrong parameters, too little to say, unknown voice: https://platform.minimax.io/docs/api-reference/errorcode */
const callersCodes: ReadonlySet<string> = new Set(['1026', '1027', '1042', '2013', '2037', '20132'])

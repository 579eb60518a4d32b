import { isRefusal, readSpeechRequest, voiceOptions } from '../openai-fields.ts'
import type { OperationTranslation } from '../operation-translation.ts'
import { decodeBlockedPrompt, readInlineData } from './generated-content.ts'

/** The vendor documents no equivalents of OpenAI's voices: https://ai.google.dev/gemini-api/docs/speech-generation#voices */
const voices = {
  alloy: 'Kore',
  echo: 'Puck',
  fable: 'Aoede',
  onyx: 'Charon',
  nova: 'Leda',
  shimmer: 'Zephyr',
}

export const { voice: voiceOption } = voiceOptions(voices).shape

/** The vendor makes samples only, so that no format is served which needs an encoder. */
const formats = { wav: 'wav', pcm: 'pcm' }

/**
 * Models from 3.8 on read all of the text aloud, and take a style in a field whose form over REST could not be read:
 * https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/speech/text-to-speech
 */
const readsVerbatim = /^gemini-(3\.[89]|[4-9])/

/** https://ai.google.dev/gemini-api/docs/speech-generation */
export const speech: OperationTranslation = {
  encodeRequest: ({ instructions, ...request }, options) => {
    const { model } = request
    const read = readSpeechRequest(request, options, { voices, formats, speed: { min: 1, max: 1 } })
    if (isRefusal(read)) return read
    if (instructions && readsVerbatim.test(String(model)))
      return {
        refused: "'instructions' is not supported for this model, which would read it aloud.",
      }
    const text = instructions ? `${instructions}:\n${read.input}` : read.input
    const prebuiltVoiceConfig = { voiceName: read.voice }
    return {
      body: {
        contents: [{ role: 'user', parts: [{ text }] }],
        generationConfig: {
          responseModalities: ['AUDIO'],
          speechConfig: { voiceConfig: { prebuiltVoiceConfig } },
        },
      },
      dropped: Object.keys(read.unknownFields),
    }
  },
  decodeAnswer: ({ body }, { response_format: format }) => {
    const answer = readInlineData(body)
    if (!answer) return undefined
    const { made, usage } = answer
    const samples = Buffer.concat(made.map(each => Buffer.from(each.data, 'base64')))
    const rate = Number(/rate=(\d+)/.exec(made[0]?.mimeType ?? '')?.[1] ?? defaultRate)
    return {
      ...(format === 'pcm'
        ? { body: samples, contentType: 'audio/pcm' }
        : {
            body: Buffer.concat([waveHeader(samples.length, rate), samples]),
            contentType: 'audio/wav',
          }),
      ...(usage === undefined ? {} : { usage }),
    }
  },
  decodeFault: decodeBlockedPrompt,
}

const defaultRate = 24_000
const bytesPerSample = 2

/** The header of one channel of 16-bit samples: http://soundfile.sapp.org/doc/WaveFormat */
const waveHeader = (size: number, rate: number): Buffer => {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + size, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * bytesPerSample, 28)
  header.writeUInt16LE(bytesPerSample, 32)
  header.writeUInt16LE(8 * bytesPerSample, 34)
  header.write('data', 36)
  header.writeUInt32LE(size, 40)
  return header
}

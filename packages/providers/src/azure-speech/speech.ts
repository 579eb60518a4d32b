import { isRefusal, readSpeechRequest, voiceOptions } from '../openai-fields.ts'
import type { OperationTranslation } from '../operation-translation.ts'

/** One Hub's: a voice, or a voice and a role. */
const voices = {
  alloy: 'zh-CN-YunxiNeural',
  echo: 'zh-CN-YunyangNeural',
  fable: 'zh-CN-YunxiNeural|Boy',
  onyx: 'zh-CN-YunyeNeural',
  nova: 'zh-CN-XiaochenNeural',
  shimmer: 'zh-CN-XiaohanNeural',
}

export const options = voiceOptions(voices)

/**
 * The vendor has no AAC and no FLAC, and its Opus stands in Ogg like OpenAI's.
 * https://learn.microsoft.com/azure/ai-services/speech-service/rest-text-to-speech#audio-outputs
 */
const formats = {
  mp3: 'audio-24khz-160kbitrate-mono-mp3',
  opus: 'ogg-24khz-16bit-mono-opus',
  wav: 'riff-24khz-16bit-mono-pcm',
  pcm: 'raw-24khz-16bit-mono-pcm',
}

/** https://learn.microsoft.com/azure/ai-services/speech-service/speech-synthesis-markup-voice#adjust-prosody */
const speed = { min: 0.5, max: 2 }

/** Text becomes SSML, and the answer is the audio. */
export const speech: OperationTranslation = {
  encodeRequest: (request, channelOptions) => {
    const read = readSpeechRequest(request, channelOptions, { voices, formats, speed })
    if (isRefusal(read)) return read
    return {
      body: Buffer.from(ssmlOf(read)),
      contentType: 'application/ssml+xml',
      // The page requires the name of the application, of at most 255 letters; a caller's may be longer.
      headers: { 'x-microsoft-outputformat': read.format, 'user-agent': 'one-hub' },
      dropped: [...read.dropped, ...Object.keys(read.unknownFields)],
    }
  },
}

type Speech = { input: string; voice: string; style: string | undefined; speed: number }

const ssmlOf = ({ input, voice, style, speed: rate }: Speech): string => {
  let text = escapeXml(input)
  if (rate !== 1) text = `<prosody rate='${rate}'>${text}</prosody>`
  if (style) text = `<mstts:express-as role='${escapeXml(style)}'>${text}</mstts:express-as>`
  const namespaces =
    "xmlns='http://www.w3.org/2001/10/synthesis' xmlns:mstts='https://www.w3.org/2001/mstts'"
  return `<speak version='1.0' ${namespaces} xml:lang='${languageOf(voice)}'><voice name='${escapeXml(voice)}'>${text}</voice></speak>`
}

/** A voice begins with its language, such as `en-US`, `iu-Cans-CA` or `zh-CN-liaoning`. */
const languageOf = (voice: string): string =>
  /^[a-z]{2,3}(-[A-Z][a-z]{3})?-[A-Z]{2}(?=-)/.exec(voice)?.[0] ?? 'en-US'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&apos;',
  '"': '&quot;',
}

/** Control characters are none of XML's, not even escaped: https://www.w3.org/TR/xml/#charsets */
const escapeXml = (text: string): string =>
  text
    .replace(/[^\P{Cc}\t\n\r]|\p{Noncharacter_Code_Point}/gu, ' ')
    .replace(/[&<>'"]/g, each => entities[each]!)

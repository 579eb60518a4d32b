import type { Json } from '../json/json.ts'
import type { WarningCollector } from '../warnings.ts'

/** The only format: 24 kHz, 16 bits, mono. https://ai.google.dev/gemini-api/docs/speech-generation */
const audioFormat = 'pcm16'
const audioMime = 'audio/L16;codec=pcm;rate=24000'

const voiceOf = (voiceName: string): Json => ({
  voiceConfig: { prebuiltVoiceConfig: { voiceName } },
})

/** Decodes a config that names only a prebuilt voice; other dialects also require an audio format. */
export const decodeSpeech = ({ speechConfig, ...rest }: Json): { audio?: Json; rest: Json } => {
  const voice = speechConfig?.voiceConfig?.prebuiltVoiceConfig?.voiceName
  if (typeof voice === 'string' && JSON.stringify(speechConfig) === JSON.stringify(voiceOf(voice)))
    return { audio: { voice, format: audioFormat }, rest }
  return { rest: speechConfig === undefined ? rest : { ...rest, speechConfig } }
}

/** Encodes the voice name, the only setting that both dialects share. */
export const encodeSpeech = (audio: Record<string, unknown>, warnings: WarningCollector): Json => {
  const { voice, format = audioFormat, ...others } = audio
  if (format !== audioFormat || Object.keys(others).length > 0) warnings.warnDropped('audio format')
  return typeof voice === 'string' ? voiceOf(voice) : undefined
}

/** An upstream that omits the audio format sends the requested one, PCM. */
export const audioMimeOf = (mime: string): string => (mime === 'audio/*' ? audioMime : mime)

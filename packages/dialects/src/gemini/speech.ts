import type { Json } from '../json.ts'
import type { Noting } from '../notes.ts'

/** 24 kHz, 16 bits, mono, and nothing else: https://ai.google.dev/gemini-api/docs/speech-generation */
const soundFormat = 'pcm16'
const soundMime = 'audio/L16;codec=pcm;rate=24000'

const voiceOf = (voiceName: string): Json => ({
  voiceConfig: { prebuiltVoiceConfig: { voiceName } },
})

/** The name of a voice, where nothing else is said of it. Others want the form of the sound named too. */
export const decodeSpeech = ({ speechConfig, ...rest }: Json): { audio?: Json; rest: Json } => {
  const voice = speechConfig?.voiceConfig?.prebuiltVoiceConfig?.voiceName
  if (typeof voice === 'string' && JSON.stringify(speechConfig) === JSON.stringify(voiceOf(voice)))
    return { audio: { voice, format: soundFormat }, rest }
  return { rest: speechConfig === undefined ? rest : { ...rest, speechConfig } }
}

/** The name of the voice is all that both sides know. */
export const encodeSpeech = (audio: Record<string, unknown>, notes: Noting): Json => {
  const { voice, format = soundFormat, ...others } = audio
  if (format !== soundFormat || Object.keys(others).length > 0) notes.drop('audio format')
  return typeof voice === 'string' ? voiceOf(voice) : undefined
}

/** A sound whose form its vendor does not tell is in the form that was asked for. */
export const soundMimeOf = (mime: string): string => (mime === 'audio/*' ? soundMime : mime)

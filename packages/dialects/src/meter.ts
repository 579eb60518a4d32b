import type { ChatEvent, Part } from './canon.ts'

const denseCharacters = '!"#$%&\'()*+,-./0123456789:;<=>?@[]^_`{|}~'

/** The weight of a character by its first UTF-8 byte, in quarters of a token. Continuation bytes weigh nothing. */
const weights = new Uint8Array(256)
  .fill(1, 0x00, 0x80) // Letters, spaces, control characters: four per token.
  .fill(2, 0xc0, 0xe0) // Cyrillic, Greek, Arabic, Hebrew, and the accents of Latin.
  .fill(3, 0xe0, 0xe1) // India and South-East Asia.
  .fill(4, 0xe1, 0xf0) // Chinese, Japanese, Korean.
  .fill(8, 0xf0) // Emoji and rare characters.
// Tokenizers seldom join the digits and punctuation of code and JSON: two per token.
for (const sign of denseCharacters) weights[sign.charCodeAt(0)] = 2

const backslash = 0x5c
const u = 0x75
const zero = 0x30

/**
 * Estimates model output from the bytes of its text as JSON string content, for vendors that report no usage. The
 * result counts quarters of a token. `meter.test.ts` and the recorded responses check its accuracy.
 */
export const weightedCharsInJson = (bytes: Uint8Array, start: number, end: number): number => {
  let weight = 0
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at]!
    if (byte !== backslash) {
      weight += weights[byte]!
      continue
    }
    at += 1
    if (bytes[at] !== u) {
      weight += weights[bytes[at]!]!
      continue
    }
    weight += escapeWeight(bytes[at + 1]!, bytes[at + 2]!)
    at += 4
  }
  return weight
}

/** Weighs a Unicode escape by its first two digits, like the character it stands for. */
const escapeWeight = (first: number, second: number): number => {
  if (first !== zero) return 4
  if (second === zero) return 1
  return second < 0x38 ? 2 : 3
}

/** Weighs decoded text. */
export const weightedCharsInText = (text: string): number => {
  let weight = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 0x80) weight += weights[code]!
    else if (code < 0x800) weight += 2
    else weight += code < 0x1000 ? 3 : 4
  }
  return weight
}

/** Streamed sound is 16-bit PCM at 24 kHz. A second of it has so many characters of base64. */
const base64PerSecond = 64_000

/** Tokens of a second of sound: https://platform.openai.com/docs/guides/audio, https://ai.google.dev/gemini-api/docs/audio */
export const audioRates = { openai: 20, gemini: 25 }

/** Weighs sound in base64 by its length, in quarters of a token. */
export const audioWeight = (
  base64Length: number,
  tokensPerSecond: number = audioRates.openai,
): number => (base64Length * tokensPerSecond * 4) / base64PerSecond

/** Weighs the output in an event, for a stream that is translated. */
export const weightedCharsInEvent = (event: ChatEvent): number => {
  if (event.type === 'delta' || event.type === 'transcript') return weightedCharsInText(event.text)
  return event.type === 'part' ? weightedCharsInPart(event.part) : 0
}

/** Weighs model output only: results of server tools count nothing, and audio counts by its transcript. */
export const weightedCharsInPart = (part: Part): number => {
  switch (part.type) {
    case 'text':
    case 'thinking':
      return weightedCharsInText(part.text)
    case 'tool-call':
      return weightedCharsInText(part.name) + weightedCharsInText(part.input)
    case 'media':
      return weightedCharsInText(part.transcript ?? '')
    default:
      return 0
  }
}

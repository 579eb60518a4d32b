import type { ChatEvent, Part } from './canon.ts'

const signs = '!"#$%&\'()*+,-./0123456789:;<=>?@[]^_`{|}~'

/** What a character weighs, in quarters of a token, by its first byte; the bytes that follow it weigh nothing. */
const weights = new Uint8Array(256)
  .fill(1, 0x00, 0x80) // Letters, blanks, control characters: four make a token.
  .fill(2, 0xc0, 0xe0) // Cyrillic, Greek, Arabic, Hebrew, and the accents of Latin.
  .fill(3, 0xe0, 0xe1) // India and South-East Asia.
  .fill(4, 0xe1, 0xf0) // Chinese, Japanese, Korean.
  .fill(8, 0xf0) // Emoji, and what is rare.
// Of signs and digits code and JSON are made, and tokenizers seldom join them: two make a token.
for (const sign of signs) weights[sign.charCodeAt(0)] = 2

const backslash = 0x5c
const u = 0x75
const zero = 0x30

/**
 * What a model wrote, in quarters of a token, from the bytes of its text as JSON writes it: a stand-in for a tokenizer
 * where a vendor reports nothing. `meter.test.ts` and the recorded answers say how good it is.
 */
export const weightedCharsInJson = (bytes: Uint8Array, start: number, end: number): number => {
  let quarters = 0
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at]!
    if (byte !== backslash) {
      quarters += weights[byte]!
      continue
    }
    at += 1
    if (bytes[at] !== u) {
      quarters += weights[bytes[at]!]!
      continue
    }
    quarters += escaped(bytes[at + 1]!, bytes[at + 2]!)
    at += 4
  }
  return quarters
}

/** \uXXXX by its first two digits, as much as the character itself. */
const escaped = (first: number, second: number): number => {
  if (first !== zero) return 4
  if (second === zero) return 1
  return second < 0x38 ? 2 : 3
}

/** The same of a text that JSON has been taken off already. */
export const weightedCharsInText = (text: string): number => {
  let quarters = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 0x80) quarters += weights[code]!
    else if (code < 0x800) quarters += 2
    else quarters += code < 0x1000 ? 3 : 4
  }
  return quarters
}

/** What an event delivers, by the same measure: for a stream that is told in another dialect. */
export const weightedCharsInEvent = (event: ChatEvent): number => {
  if (event.type === 'delta' || event.type === 'transcript') return weightedCharsInText(event.text)
  return event.type === 'part' ? weightedCharsInPart(event.part) : 0
}

/** The model's own words in a part; what a server's tool brought is none, and a sound is counted by its transcript. */
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

/** Pieces of equal distance stand for the whole of a longer text, so that no prompt costs more than these. */
const samples = 48
const sampleLength = 512

/**
 * Tokens of a text by its scripts, for what is too long for a tokenizer, or not worth one. One pass, without a copy.
 * The ratios are those of the o200k encoding; `docs/ledger.md` has the error.
 */
export const scriptTokens = (text: string): number => {
  const { length } = text
  if (length <= samples * sampleLength) return Math.round(tokensBetween(text, 0, length))
  let tokens = 0
  for (let sample = 0; sample < samples; sample += 1) {
    const from = Math.floor((sample * (length - sampleLength)) / (samples - 1))
    tokens += tokensBetween(text, from, from + sampleLength)
  }
  return Math.round((tokens * length) / (samples * sampleLength))
}

const tokensBetween = (text: string, from: number, to: number): number => {
  let tokens = 0
  for (let at = from; at < to; ) {
    const start = at
    const script = scriptOf(text.charCodeAt(at))
    do at += 1
    while (at < to && scriptOf(text.charCodeAt(at)) === script)
    tokens += tokensOfRun(script, at - start)
  }
  return tokens
}

type Script =
  | 'blank'
  | 'line'
  | 'latin'
  | 'digit'
  | 'sign'
  | 'accented'
  | 'cyrillic'
  | 'han'
  | 'kana'
  | 'hangul'
  | 'other'

const scriptOf = (code: number): Script => {
  if (code < 0x80) return ascii[code]!
  if (code < 0x250) return 'accented'
  if (code >= 0x400 && code < 0x530) return 'cyrillic'
  if (code >= 0x3040 && code < 0x3100) return 'kana'
  if ((code >= 0x3400 && code < 0xa000) || (code >= 0xf900 && code < 0xfb00)) return 'han'
  if (code >= 0xac00 && code < 0xd7b0) return 'hangul'
  // Marks of general and of CJK punctuation, and their wide forms.
  if ((code >= 0x2000 && code < 0x2070) || (code >= 0x3000 && code < 0x3040) || code >= 0xff00)
    return 'sign'
  return 'other'
}

const asciiOf = (code: number): Script => {
  const character = String.fromCharCode(code)
  if (/[a-z]/i.test(character)) return 'latin'
  if (/\d/.test(character)) return 'digit'
  if (/[\r\n]/.test(character)) return 'line'
  return /[\s]/.test(character) ? 'blank' : 'sign'
}

const ascii: readonly Script[] = Array.from({ length: 0x80 }, (_, code) => asciiOf(code))

/** A word of letters is one token up to this length; a longer one has one more for each further `wordPart` letters. */
const wholeWord = 7
const wordPart = 6

const tokensPerCharacter: Readonly<Partial<Record<Script, number>>> = {
  accented: 0.6,
  cyrillic: 0.3,
  han: 0.78,
  kana: 0.68,
  hangul: 0.62,
  other: 0.6,
}

const tokensOfRun = (script: Script, length: number): number => {
  switch (script) {
    case 'blank':
      // One blank belongs to the word behind it; more of them are an indent.
      return length === 1 ? 0 : 0.9
    case 'line':
      return 0.6
    case 'latin':
      return 1 + Math.max(0, length - wholeWord) / wordPart
    case 'digit':
      return Math.ceil(length / 3)
    case 'sign':
      return length === 1 ? 0.85 : Math.max(1, length / 2.2)
    default:
      return length * tokensPerCharacter[script]!
  }
}

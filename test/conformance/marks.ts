import type { Piece } from './neutral.ts'

// docs/channels.md, “Sessions that change their provider”: what the gateway invents in an answer has a mark of eight
// characters, which differs between installations.

/** Stands for the mark of any installation in what a cell expects. */
export const sampleMark = 'Mark0000'

const length = sampleMark.length

/** Reads the mark of the installation from the id of a translated message. */
export const learnMark = async (url: string, key: string): Promise<string> => {
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({
      model: 'any:mark',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'Hello.' }],
    }),
  })
  const { id } = (await response.json()) as { id?: string }
  const mark = id?.slice(0, length) ?? ''
  if (!/^[A-Za-z0-9]{8}$/.test(mark)) throw new Error(`no mark in the id of a message: ${id}`)
  return mark
}

/** The pieces with the sample in place of the mark. Nothing else of a signature changes. */
export const withSampleMark = (pieces: readonly Piece[], mark: string): Piece[] =>
  pieces.map(piece =>
    'signature' in piece && piece.signature !== undefined
      ? { ...piece, signature: sampled(piece.signature, mark) }
      : piece,
  )

/** Gemini's signatures are bytes in base64. */
const sampled = (signature: string, mark: string): string => {
  if (signature.includes(mark)) return signature.replace(mark, sampleMark)
  const text = Buffer.from(signature, 'base64').toString('latin1')
  if (!text.includes(mark)) return signature
  const isWhole = Buffer.from(text, 'latin1').toString('base64') === signature
  return isWhole ? base64(text.replace(mark, sampleMark)) : signature
}

const base64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64')

/** Finds a mark or a signature, plain and in base64, at whichever of the three places in a group of bytes. */
export const contains = (body: string, text: string): boolean =>
  [text, ...[0, 1, 2].map(place => needleOf(text, place))].some(each => body.includes(each))

/** The letters of base64 that do not depend on the bytes next to the text. */
const needleOf = (part: string, place: number): string => {
  const text = base64('\0'.repeat(place) + part)
  const whole = Math.floor(((place + part.length) * 8) / 6)
  return text.slice(Math.ceil((place * 8) / 6), whole)
}

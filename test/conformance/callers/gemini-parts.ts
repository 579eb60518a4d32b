import type { FunctionResponse, FunctionResponsePart, Part } from '@google/genai'
import { type Call, given, type Media, type Piece, type Result, some } from '../facts.ts'

/** https://ai.google.dev/api/caching#Part, and a mark that this dialect has no word for. */
export type Said = Part & { cache_control?: { type: string; ttl?: '5m' | '1h' } }

/** Parts are the same in requests and in answers: both halves write and read them here. */
export const partsOf = (pieces: readonly Piece[]): Said[] => pieces.flatMap(partsIn)

const partsIn = (piece: Piece): Said[] => {
  if ('text' in piece)
    return [
      given({
        text: piece.text,
        thoughtSignature: piece.proof,
        cache_control: piece.cache && { type: 'ephemeral', ttl: piece.cache },
      }),
    ]
  if ('thinking' in piece)
    return [given({ text: piece.thinking, thought: true, thoughtSignature: piece.proof })]
  if ('call' in piece) return [callOf(piece)]
  if ('result' in piece) return [{ functionResponse: resultOf(piece) as FunctionResponse }]
  if ('server' in piece) return searched
  if ('image' in piece) return [mediaOf(piece.image)]
  if ('file' in piece) return [mediaOf(piece.file)]
  if ('audio' in piece) return [mediaOf(piece.audio)]
  throw new Error(`no part: ${Object.keys(piece)[0]}`)
}

const callOf = ({ call: name, id, input: args, proof }: Call): Said =>
  given({ functionCall: { id, name, args }, thoughtSignature: proof })

/** Words under `output`, or `error`: https://ai.google.dev/api/caching#FunctionResponse */
const resultOf = ({ result: id, of: name, pieces, failed }: Result) => {
  const words = pieces.flatMap(each => ('text' in each ? [each.text] : [])).join('')
  const media = pieces.filter(each => !('text' in each))
  const response = failed ? { error: words } : { output: words }
  return given({ id, name, response, parts: some(partsOf(media) as FunctionResponsePart[]) })
}

const mediaOf = ({ mime, data, url, name: displayName }: Media): Said =>
  url === undefined
    ? { inlineData: given({ mimeType: mime, data, displayName }) }
    : // Whoever shows an address says what is there.
      { fileData: { fileUri: url, mimeType: mime.replace('*', 'jpeg') } }

/** https://ai.google.dev/gemini-api/docs/tool-combination */
const searched = [
  {
    toolCall: {
      id: 'a7b3k9p2',
      toolType: 'GOOGLE_SEARCH_WEB',
      args: { queries: ['northernmost city in the United States'] },
    },
  },
  {
    toolResponse: {
      id: 'a7b3k9p2',
      toolType: 'GOOGLE_SEARCH_WEB',
      response: { search_suggestions: '<div class="container"></div>' },
    },
  },
] as Said[]

/** Stands in the place of a signature that nobody has: https://ai.google.dev/gemini-api/docs/thought-signatures */
const standIn = 'skip_thought_signature_validator'

export const piecesOf = (parts: readonly Said[]): Piece[] =>
  parts.reduce<Piece[]>((list, part) => joined(list, pieceOf(part)), [])

const pieceOf = (part: Said): Piece | undefined => {
  const { text, thought, thoughtSignature, functionCall, functionResponse, cache_control } = part
  const proof = thoughtSignature === standIn ? undefined : thoughtSignature
  if (functionCall) {
    const { id = '', name = '', args = {} } = functionCall
    return given({ call: name, id, input: args, proof })
  }
  if (functionResponse) return answered(functionResponse)
  if (part.toolCall) return { server: 'web-search' }
  if (part.inlineData) return shown(part.inlineData)
  if (part.fileData) return linked(part.fileData)
  if (text === undefined) return undefined
  if (!thought) return given({ text, proof, cache: cache_control && (cache_control.ttl ?? '5m') })
  const isHidden = text === '' && proof !== undefined
  return given({ thinking: text, proof, hidden: isHidden ? (true as const) : undefined })
}

/** Streams tell words piece by piece, and what proves them behind the last one. */
const joined = (list: Piece[], piece: Piece | undefined): Piece[] => {
  const last = list.at(-1)
  if (!piece) return list
  const rest = list.slice(0, -1)
  if (last && 'thinking' in last && 'thinking' in piece && !last.proof) {
    const { proof } = piece
    return [...rest, given({ thinking: last.thinking + piece.thinking, proof })]
  }
  if (last && 'text' in last && 'text' in piece && !last.proof && !last.cache && !piece.cache)
    return [...rest, { ...last, ...piece, text: last.text + piece.text }]
  return 'text' in piece && piece.text === '' && !piece.proof ? list : [...list, piece]
}

const answered = ({ id = '', name = '', response = {}, parts = [] }: FunctionResponse): Piece => {
  const { output, error } = response
  const words = output ?? error ?? response
  const text = typeof words === 'string' ? words : JSON.stringify(words)
  const pieces = [...(text === '' ? [] : [{ text }]), ...piecesOf(parts as Said[])]
  return given({
    result: id,
    of: name,
    pieces,
    failed: error === undefined ? undefined : (true as const),
  })
}

const shown = ({
  mimeType = '',
  data = '',
  displayName,
}: NonNullable<Said['inlineData']>): Piece => {
  const [mime = ''] = mimeType.split(';')
  const media = given({ mime: mime === 'audio/L16' ? 'audio/pcm' : mime, data, name: displayName })
  if (mime.startsWith('image/')) return { image: media }
  return mime.startsWith('audio/') ? { audio: media } : { file: media }
}

/** Of an address the kind is known, or nothing: then the vendor looks what is there. */
const linked = ({ mimeType, fileUri: url = '' }: NonNullable<Said['fileData']>): Piece => {
  const mime = mimeType ?? (url.endsWith('.pdf') ? 'application/pdf' : 'image/*')
  return mime.startsWith('image/') ? { image: { mime: 'image/*', url } } : { file: { mime, url } }
}

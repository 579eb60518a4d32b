import type { FunctionResponse, FunctionResponsePart, Part } from '@google/genai'
import {
  type Call,
  definedFields,
  type Media,
  nonEmpty,
  type Piece,
  type Result,
} from '../../neutral.ts'

/** https://ai.google.dev/api/caching#Part, and a mark that this dialect has no word for. */
export type Said = Part & { cache_control?: { type: string; ttl?: '5m' | '1h' } }

/** Parts are the same in requests and in answers: both halves write and read them here. */
export const partsOf = (pieces: readonly Piece[]): Said[] => pieces.flatMap(partsIn)

const partsIn = (piece: Piece): Said[] => {
  if ('text' in piece)
    return [
      definedFields({
        text: piece.text,
        thoughtSignature: piece.signature,
        cache_control: piece.cache && { type: 'ephemeral', ttl: piece.cache },
      }),
    ]
  if ('thinking' in piece)
    return [
      definedFields({ text: piece.thinking, thought: true, thoughtSignature: piece.signature }),
    ]
  if ('call' in piece) return [callOf(piece)]
  if ('result' in piece) return [{ functionResponse: resultOf(piece) as FunctionResponse }]
  if ('server' in piece) return searched
  if ('image' in piece) return [mediaOf(piece.image)]
  if ('file' in piece) return [mediaOf(piece.file)]
  if ('audio' in piece) return [mediaOf(piece.audio)]
  throw new Error(`no part: ${Object.keys(piece)[0]}`)
}

const callOf = ({ call: name, id, input: args, signature }: Call): Said =>
  definedFields({ functionCall: { id, name, args }, thoughtSignature: signature })

/** Words under `output`, or `error`: https://ai.google.dev/api/caching#FunctionResponse */
const resultOf = ({ result: id, toolName: name, pieces, failed }: Result) => {
  const words = pieces.flatMap(each => ('text' in each ? [each.text] : [])).join('')
  const media = pieces.filter(each => !('text' in each))
  const response = failed ? { error: words } : { output: words }
  return definedFields({
    id,
    name,
    response,
    parts: nonEmpty(partsOf(media) as FunctionResponsePart[]),
  })
}

const mediaOf = ({ mime, data, url, name: displayName }: Media): Said =>
  url === undefined
    ? { inlineData: definedFields({ mimeType: mime, data, displayName }) }
    : // The request for a file by its URL names the media type.
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

/** Replaces a signature that does not exist: https://ai.google.dev/gemini-api/docs/thought-signatures */
const standIn = 'skip_thought_signature_validator'

export const piecesOf = (parts: readonly Said[]): Piece[] =>
  parts.reduce<Piece[]>((list, part) => joined(list, pieceOf(part)), [])

const pieceOf = (part: Said): Piece | undefined => {
  const { text, thought, thoughtSignature, functionCall, functionResponse, cache_control } = part
  const signature = thoughtSignature === standIn ? undefined : thoughtSignature
  if (functionCall) {
    const { id = '', name = '', args = {} } = functionCall
    return definedFields({ call: name, id, input: args, signature })
  }
  if (functionResponse) return upstreamResponse(functionResponse)
  if (part.toolCall) return { server: 'web-search' }
  if (part.inlineData) return shown(part.inlineData)
  if (part.fileData) return linked(part.fileData)
  if (text === undefined) return undefined
  if (!thought)
    return definedFields({ text, signature, cache: cache_control && (cache_control.ttl ?? '5m') })
  const isHidden = text === '' && signature !== undefined
  return definedFields({
    thinking: text,
    signature,
    hidden: isHidden ? (true as const) : undefined,
  })
}

/** Streams send text in pieces, and its signature after the last piece. */
const joined = (list: Piece[], piece: Piece | undefined): Piece[] => {
  const last = list.at(-1)
  if (!piece) return list
  const rest = list.slice(0, -1)
  if (last && 'thinking' in last && 'thinking' in piece && !last.signature) {
    const { signature } = piece
    return [...rest, definedFields({ thinking: last.thinking + piece.thinking, signature })]
  }
  if (last && 'text' in last && 'text' in piece && !last.signature && !last.cache && !piece.cache)
    return [...rest, { ...last, ...piece, text: last.text + piece.text }]
  return 'text' in piece && piece.text === '' && !piece.signature ? list : [...list, piece]
}

const upstreamResponse = ({
  id = '',
  name = '',
  response = {},
  parts = [],
}: FunctionResponse): Piece => {
  const { output, error } = response
  const words = output ?? error ?? response
  const text = typeof words === 'string' ? words : JSON.stringify(words)
  const pieces = [...(text === '' ? [] : [{ text }]), ...piecesOf(parts as Said[])]
  return definedFields({
    result: id,
    toolName: name,
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
  const media = definedFields({
    mime: mime === 'audio/L16' ? 'audio/pcm' : mime,
    data,
    name: displayName,
  })
  if (mime.startsWith('image/')) return { image: media }
  return mime.startsWith('audio/') ? { audio: media } : { file: media }
}

/** A URL has a known media type or none: then the vendor detects it. */
const linked = ({ mimeType, fileUri: url = '' }: NonNullable<Said['fileData']>): Piece => {
  const mime = mimeType ?? (url.endsWith('.pdf') ? 'application/pdf' : 'image/*')
  return mime.startsWith('image/') ? { image: { mime: 'image/*', url } } : { file: { mime, url } }
}

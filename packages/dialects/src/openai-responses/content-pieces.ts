import type { Json } from '../json/json.ts'

export const reasoningText = (): Json => ({ type: 'reasoning_text', text: '' })

/** The keys and events of a piece by its type. */
type PieceFormat = { textKey: string; deltaEvent: string; doneEvent: string; indexKey: string }

const pieceFormat = (textKey: string, event: string, indexKey: string): PieceFormat => ({
  textKey,
  deltaEvent: `${event}.delta`,
  doneEvent: `${event}.done`,
  indexKey,
})

const pieceFormats: Readonly<Record<string, PieceFormat>> = {
  output_text: pieceFormat('text', 'response.output_text', 'content_index'),
  refusal: pieceFormat('refusal', 'response.refusal', 'content_index'),
  summary_text: pieceFormat('text', 'response.reasoning_summary_text', 'summary_index'),
  reasoning_text: pieceFormat('text', 'response.reasoning_text', 'content_index'),
}

export const pieceFormatOf = (piece: Json): PieceFormat => pieceFormats[piece.type]!

export const pieceEventOf = (piece: Json): string =>
  piece.type === 'summary_text' ? 'response.reasoning_summary_part' : 'response.content_part'

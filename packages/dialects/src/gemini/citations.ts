import type { Citation } from '../canon.ts'
import type { Json } from '../json.ts'
import type { Noting } from '../notes.ts'
import { own } from './parts.ts'

/** Where the grounding's supports, counted in bytes of the text, stand in it. */
export const citationsOf = (candidate: Json, text: string): Citation[] => {
  const { groundingMetadata: grounding, citationMetadata } = candidate
  const bytes = Buffer.from(text)
  const at = (offset: Json): number =>
    Number.isSafeInteger(offset) ? bytes.toString('utf8', 0, offset).length : 0
  const supports = Array.isArray(grounding?.groundingSupports) ? grounding.groundingSupports : []
  const chunks = Array.isArray(grounding?.groundingChunks) ? grounding.groundingChunks : []
  const grounded = supports.flatMap((support: Json) =>
    (support?.groundingChunkIndices ?? []).flatMap((index: number) => {
      const source = chunks[index]?.web ?? chunks[index]?.maps ?? chunks[index]?.retrievedContext
      const { segment } = support
      return source
        ? [citation(source, at(segment?.startIndex ?? 0), at(segment?.endIndex), support)]
        : []
    }),
  )
  const cited = Array.isArray(citationMetadata?.citations) ? citationMetadata.citations : []
  const others = cited.map((each: Json) =>
    citation(each, at(each?.startIndex ?? 0), at(each?.endIndex), each),
  )
  return [...grounded, ...others]
}

const citation = (source: Json, start: number, end: number, value: Json): Citation => ({
  ...(typeof source?.uri === 'string' ? { url: source.uri } : {}),
  ...(typeof source?.title === 'string' ? { title: source.title } : {}),
  start,
  end,
  raw: { dialect: own, value },
})

/** Citations of other dialects as the grounding of the text. */
export const groundingOf = (
  citations: readonly Citation[],
  text: string,
  notes: Noting,
): Json | undefined => {
  const told = citations.filter(each => each.url !== undefined)
  if (told.length < citations.length) notes.drop('citations')
  if (told.length === 0) return undefined
  const urls = [...new Set(told.map(each => each.url))]
  const bytesTo = (at: number): number => Buffer.byteLength(text.slice(0, at))
  return {
    groundingChunks: urls.map(uri => ({
      web: { uri, title: told.find(each => each.url === uri)?.title ?? '' },
    })),
    groundingSupports: told.map(({ url, start = 0, end = text.length }) => ({
      segment: { startIndex: bytesTo(start), endIndex: bytesTo(end), text: text.slice(start, end) },
      groundingChunkIndices: [urls.indexOf(url)],
    })),
  }
}

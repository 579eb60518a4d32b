import type { Citation } from '../canon.ts'
import type { Json } from '../json/json.ts'
import type { WarningCollector } from '../warnings.ts'
import { dialectId } from './parts.ts'

/** Decodes grounding and citation metadata, turning byte offsets of the text into character offsets. */
export const citationsOf = (candidate: Json, text: string): Citation[] => {
  const { groundingMetadata, citationMetadata } = candidate
  const bytes = Buffer.from(text)
  const toCharOffset = (offset: Json): number =>
    Number.isSafeInteger(offset) ? bytes.toString('utf8', 0, offset).length : 0
  const supports = Array.isArray(groundingMetadata?.groundingSupports)
    ? groundingMetadata.groundingSupports
    : []
  const chunks = Array.isArray(groundingMetadata?.groundingChunks)
    ? groundingMetadata.groundingChunks
    : []
  const grounded = supports.flatMap((support: Json) =>
    (support?.groundingChunkIndices ?? []).flatMap((index: number) => {
      const source = chunks[index]?.web ?? chunks[index]?.maps ?? chunks[index]?.retrievedContext
      const { segment } = support
      return source
        ? [
            citation(
              source,
              toCharOffset(segment?.startIndex ?? 0),
              toCharOffset(segment?.endIndex),
              support,
            ),
          ]
        : []
    }),
  )
  const cited = Array.isArray(citationMetadata?.citations) ? citationMetadata.citations : []
  const others = cited.map((each: Json) =>
    citation(each, toCharOffset(each?.startIndex ?? 0), toCharOffset(each?.endIndex), each),
  )
  return [...grounded, ...others]
}

const citation = (source: Json, start: number, end: number, value: Json): Citation => ({
  ...(typeof source?.uri === 'string' ? { url: source.uri } : {}),
  ...(typeof source?.title === 'string' ? { title: source.title } : {}),
  start,
  end,
  raw: { dialect: dialectId, value },
})

/** Encodes citations of other dialects as grounding metadata; those without a URL become a warning. */
export const groundingOf = (
  citations: readonly Citation[],
  text: string,
  warnings: WarningCollector,
): Json | undefined => {
  const withUrl = citations.filter(each => each.url !== undefined)
  if (withUrl.length < citations.length) warnings.warnDropped('citations')
  if (withUrl.length === 0) return undefined
  const urls = [...new Set(withUrl.map(each => each.url))]
  const bytesTo = (toCharOffset: number): number => Buffer.byteLength(text.slice(0, toCharOffset))
  return {
    groundingChunks: urls.map(uri => ({
      web: { uri, title: withUrl.find(each => each.url === uri)?.title ?? '' },
    })),
    groundingSupports: withUrl.map(({ url, start = 0, end = text.length }) => ({
      segment: { startIndex: bytesTo(start), endIndex: bytesTo(end), text: text.slice(start, end) },
      groundingChunkIndices: [urls.indexOf(url)],
    })),
  }
}

import type { ChatRequest, MediaPart, Part } from '../canon.ts'

/** A part that is only an address: its content must be fetched by the vendor, or before the request is encoded. */
export type LinkedMedia = MediaPart & { url: string }

/**
 * Returns the linked media for which `needsBytes` holds, in the order of the request. The parts are those of the request:
 * setting `base64` and `mime` and deleting `url` replaces the address.
 */
export const linkedMedia = (
  { messages }: ChatRequest,
  needsBytes: (part: LinkedMedia) => boolean,
): LinkedMedia[] => messages.flatMap(({ parts }) => linksIn(parts)).filter(part => needsBytes(part))

const linksIn = (parts: readonly Part[]): LinkedMedia[] =>
  parts.flatMap(part => {
    if (part.type === 'tool-result') return linksIn(part.parts)
    return part.type === 'media' && isLinked(part) ? [part] : []
  })

const isLinked = (part: MediaPart): part is LinkedMedia =>
  part.url !== undefined && part.base64 === undefined && part.text === undefined

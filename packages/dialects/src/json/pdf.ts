import { constants, inflateSync } from 'node:zlib'

/** Longer than any page tree. Bounds the memory for a decompression bomb. */
const decompressedMax = 4 * 1024 * 1024

/** ISO 32000-2, 7.5.7: since PDF 1.5 page objects may be in such compressed streams. */
const objectStream = /\/Type\s*\/ObjStm\b[\s\S]{0,500}?>>\s*stream\r?\n/g
const page = /\/Type\s*\/Page(?![a-z])/gi

/** The number of pages; undefined for an encrypted file or an unknown compression. */
export const pagesIn = (pdf: Buffer): number | undefined => {
  const text = pdf.toString('latin1')
  if (/\/Encrypt\b/.test(text)) return undefined
  let count = text.match(page)?.length ?? 0
  let remaining = decompressedMax
  for (const match of text.matchAll(objectStream)) {
    const objects = decompress(pdf.subarray(match.index + match[0].length), remaining)
    if (objects === undefined) return undefined
    remaining -= objects.length
    count += objects.match(page)?.length ?? 0
  }
  const streams = text.match(/\/Type\s*\/ObjStm\b/g)?.length ?? 0
  const read = text.match(objectStream)?.length ?? 0
  return streams === read && count > 0 ? count : undefined
}

/** Ignores the bytes after the stream. */
const decompress = (compressed: Buffer, remaining: number): string | undefined => {
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: Math.max(remaining, 1) }
    return inflateSync(compressed, options).toString('latin1')
  } catch {
    return undefined
  }
}

type Signature = readonly [mime: string, parts: readonly (readonly [at: number, bytes: string])[]]

/** Bytes that decide about the type of a file. */
export const headBytes = 16

const starts = (mime: string, bytes: string): Signature => [mime, [[0, bytes]]]
/** RIFF: a length stands between the magic number and the type. */
const riff = (mime: string, type: string): Signature => [
  mime,
  [
    [0, 'RIFF'],
    [8, type],
  ],
]
/** ISO base media (ISO/IEC 14496-12): a box `ftyp` with a brand. */
const brand = (mime: string, name: string): Signature => [mime, [[4, `ftyp${name}`]]]

/** Magic numbers as Latin-1 text: https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern and the formats' documents. */
const signatures: readonly Signature[] = [
  starts('image/png', '\x89PNG\r\n\x1a\n'),
  starts('image/jpeg', '\xff\xd8\xff'),
  starts('image/gif', 'GIF87a'),
  starts('image/gif', 'GIF89a'),
  riff('image/webp', 'WEBP'),
  starts('application/pdf', '%PDF-'),
  riff('audio/wav', 'WAVE'),
  starts('audio/mpeg', 'ID3'),
  // A frame of MPEG-1 layer III, with or without a checksum, and of MPEG-2 for low sample rates.
  ...['\xfb', '\xfa', '\xf3', '\xf2'].map(byte => starts('audio/mpeg', `\xff${byte}`)),
  ...['\xf1', '\xf9'].map(byte => starts('audio/aac', `\xff${byte}`)),
  starts('audio/flac', 'fLaC'),
  starts('audio/ogg', 'OggS'),
  brand('audio/mp4', 'M4A'),
  ...['isom', 'iso2', 'iso5', 'iso6', 'mp41', 'mp42', 'avc1', 'M4V', 'dash'].map(each =>
    brand('video/mp4', each),
  ),
  brand('video/quicktime', 'qt'),
  starts('video/webm', '\x1aE\xdf\xa3'),
]

/** Returns the MIME type that the first bytes of a file show, whatever its server claims. */
export const fileTypeOf = (head: Buffer): string | undefined => {
  const text = head.toString('latin1', 0, headBytes)
  return signatures.find(([, parts]) =>
    parts.every(([at, bytes]) => text.startsWith(bytes, at)),
  )?.[0]
}

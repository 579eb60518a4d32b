import { Fault } from '@hub/contract'

/** The headers of a part by lower-case name, as `Dicer` reads them: each byte is one character. */
export type RawPartHeaders = Readonly<Record<string, readonly string[] | undefined>>

export type PartHeader = {
  name: string
  filename: string | undefined
  type: string | undefined
}

/** Reads the headers of a part. Throws `request.unreadable` where a vendor could read another name than the gateway. */
export const readPartHeader = (headers: RawPartHeaders | undefined): PartHeader => {
  const [disposition, another] = headers?.['content-disposition'] ?? []
  if (disposition === undefined || another !== undefined)
    throw unreadable('Each part needs one Content-Disposition header.')
  const params = readDisposition(decode(disposition))
  const name = params.get('name')
  if (name === undefined || name === '') throw unreadable('Each part needs a name.')
  const encoding = headers?.['content-transfer-encoding']?.[0]?.toLowerCase()
  // https://www.rfc-editor.org/rfc/rfc7578#section-4.7
  if (encoding !== undefined && !/^(7bit|8bit|binary)$/.test(encoding))
    throw unreadable(`Part '${shown(name)}' has a transfer encoding; send its bytes as they are.`)
  const type = headers?.['content-type']?.[0]
  if (type && /^\s*multipart\//i.test(type))
    throw unreadable(
      `Part '${shown(name)}' is multipart itself; send each file as a part of its own.`,
    )
  return { name, filename: filenameOf(params), type: type && decode(type) }
}

const unreadable = (hint: string) => new Fault('request.form', { hint })

const shown = (name: string) => name.slice(0, 50)

const decode = (bytes: string) => Buffer.from(bytes, 'latin1').toString()

const parameter = /;\s*([a-z0-9!#$&+.^_`|~-]+\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))\s*/iy

/** Reads `form-data; name="a"; filename="b"`. Backslashes escape only quotes and backslashes, as curl writes them. */
const readDisposition = (text: string): Map<string, string> => {
  const kind = /^\s*form-data\s*/i.exec(text)
  const params = new Map<string, string>()
  parameter.lastIndex = kind?.[0].length ?? 0
  while (kind && parameter.lastIndex < text.length) {
    const found = parameter.exec(text)
    const key = found?.[1]?.toLowerCase()
    if (!found || key === undefined || params.has(key)) break
    params.set(key, found[2]?.replace(/\\(["\\])/g, '$1') ?? found[3]!)
    if (parameter.lastIndex === text.length) return params
  }
  throw unreadable('A Content-Disposition header cannot be read.')
}

/** Some clients send `filename*` although https://www.rfc-editor.org/rfc/rfc7578#section-4.2 forbids it. */
const filenameOf = (params: ReadonlyMap<string, string>): string | undefined => {
  const extended = /^utf-8'[^']*'(.*)$/i.exec(params.get('filename*') ?? '')?.[1]
  if (extended === undefined) return params.get('filename')
  try {
    return decodeURIComponent(extended)
  } catch {
    throw unreadable("'filename*' cannot be read.")
  }
}

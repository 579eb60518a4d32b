import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Spool } from './spool.ts'

/** One part of a form: a field's value, or a file as a range of the spool. */
export type FormPart = {
  name: string
  /** Set for files only. */
  filename: string | undefined
  /** The part's own content type, as it came. */
  type: string | undefined
  /** A field's bytes. */
  value: Buffer | undefined
  /** A file's bytes [start, end) in the spool. */
  start: number
  end: number
}

/** A form that has arrived whole. It lives as long as its request, so that it can be sent more than once. */
export class Form {
  readonly parts: readonly FormPart[]
  /** The SHA-256 of its content, whatever boundary it came with. */
  readonly digest: string
  private readonly spool: Spool

  constructor(parts: readonly FormPart[], digest: string, spool: Spool) {
    this.parts = parts
    this.digest = digest
    this.spool = spool
  }

  /** The text of a field; undefined where the form has none of this name. */
  field(name: string): string | undefined {
    return this.parts.find(each => each.name === name && each.value)?.value?.toString()
  }

  /** The files of these names. */
  files(...names: readonly string[]): FormPart[] {
    return this.parts.filter(each => !each.value && names.includes(each.name))
  }

  /** Reads the bytes of a file. */
  read({ start, end }: FormPart): AsyncIterable<Buffer> {
    return this.spool.read(start, end)
  }

  /** Encodes the form, with these fields set. A field that it does not have is appended; undefined removes one. */
  encode(edits: Readonly<Record<string, string | undefined>>): EncodedForm {
    const boundary = `----form${randomUUID().replaceAll('-', '')}`
    const parts = edited(this.parts, edits).map(part => ({ part, head: headOf(part, boundary) }))
    const tail = Buffer.from(`--${boundary}--\r\n`)
    const size = parts.reduce(
      (sum, { part, head }) => sum + head.length + sizeOf(part) + 2,
      tail.length,
    )
    const { spool } = this
    async function* chunks(onRead: () => void): AsyncGenerator<Buffer> {
      for (const { part, head } of parts) {
        yield head
        if (part.value) yield part.value
        else
          for await (const chunk of spool.read(part.start, part.end)) {
            onRead()
            yield chunk
          }
        yield lineBreak
      }
      yield tail
    }
    return {
      type: `multipart/form-data; boundary=${boundary}`,
      size,
      open: onRead => Readable.from(chunks(onRead), { objectMode: false }),
    }
  }

  /** Encodes one file without the form around it; undefined where the form has none of this name. */
  encodeFile(name: string): EncodedForm | undefined {
    const [part] = this.files(name)
    if (!part) return undefined
    const { spool } = this
    async function* chunks(onRead: () => void): AsyncGenerator<Buffer> {
      for await (const chunk of spool.read(part!.start, part!.end)) {
        onRead()
        yield chunk
      }
    }
    return {
      type: part.type ?? 'application/octet-stream',
      size: sizeOf(part),
      open: onRead => Readable.from(chunks(onRead), { objectMode: false }),
    }
  }

  dispose(): void {
    this.spool.dispose()
  }
}

/** A body that is read from the spool while it is sent, once per attempt. */
export type EncodedForm = {
  type: string
  size: number
  /** `onRead` is called for each chunk that the connection takes. */
  open(onRead: () => void): Readable
}

const lineBreak = Buffer.from('\r\n')

export const sizeOf = ({ value, start, end }: FormPart): number => value?.length ?? end - start

const edited = (
  parts: readonly FormPart[],
  edits: Readonly<Record<string, string | undefined>>,
): readonly FormPart[] => {
  const rest = new Map(Object.entries(edits))
  const result: FormPart[] = []
  for (const part of parts) {
    if (!part.value || !(part.name in edits)) {
      result.push(part)
      continue
    }
    const text = rest.get(part.name)
    rest.delete(part.name)
    if (text !== undefined) result.push({ ...part, value: Buffer.from(text) })
  }
  for (const [name, text] of rest) if (text !== undefined) result.push(makeField(name, text))
  return result
}

const makeField = (name: string, text: string): FormPart => ({
  name,
  filename: undefined,
  type: undefined,
  value: Buffer.from(text),
  start: 0,
  end: 0,
})

const headOf = ({ name, filename, type }: FormPart, boundary: string): Buffer => {
  const file = filename === undefined ? '' : `; filename="${quote(filename)}"`
  const typeLine = type === undefined ? '' : `content-type: ${type}\r\n`
  return Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="${quote(name)}"${file}\r\n${typeLine}\r\n`,
  )
}

/** https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data */
const quote = (text: string): string =>
  text.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')

import { createHash } from 'node:crypto'
import { Dicer } from '@fastify/busboy'
import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import type { RequestContext } from '../context.ts'
import { type BodyReader, checkEncoding, receive, reserveBytes, tooLarge } from './body.ts'
import { Form, type FormPart } from './form.ts'
import { type RawPartHeaders, readPartHeader } from './part-header.ts'
import { Spool } from './spool.ts'

const partsMax = 200
/** Bytes of all fields together; they stay in memory. */
const fieldsMax = 4 * 1024 * 1024
const headerMax = 8 * 1024

/**
 * Reads a form of at most `sizeMax` bytes; files above 1 MiB go to the disk as they arrive. A form is sent only once it
 * arrived whole: fields behind a file decide the price, and another channel may need the file again.
 */
export const readForm = async (
  app: App,
  context: RequestContext,
  sizeMax: number,
): Promise<Form> => {
  const { headers } = context.request
  checkEncoding(headers)
  const boundary = boundaryOf(headers['content-type'])
  if (Number(headers['content-length'] ?? 0) > sizeMax) throw tooLarge(sizeMax)
  const reader = new FormReader(app, context, { boundary, sizeMax })
  try {
    context.body.form = await receive(app, context, reader)
    return context.body.form
  } catch (error) {
    reader.dispose()
    throw error
  }
}

export const isForm = (type: string | undefined): boolean =>
  type !== undefined && /^\s*multipart\/form-data\s*(;|$)/i.test(type)

const boundaryOf = (type: string | undefined): string => {
  if (!isForm(type)) throw new Fault('request.media_type', { hint: 'Send multipart/form-data.' })
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]*)"|([^\s;"]*))/i.exec(type!) ?? []
  const boundary = quoted ?? plain ?? ''
  // https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1
  if (boundary === '' || boundary.length > 70)
    throw unreadable('The Content-Type names no boundary of 1 to 70 characters.')
  return boundary
}

const unreadable = (hint: string, cause?: unknown) => new Fault('request.form', { hint, cause })

type Part = AsyncIterable<Buffer> & {
  on(event: 'header', listener: (headers: object) => void): unknown
  on(event: 'error', listener: () => void): unknown
}

class FormReader implements BodyReader<Form> {
  private readonly app: App
  private readonly context: RequestContext
  private readonly sizeMax: number
  private readonly parser: Dicer
  private readonly spool: Spool
  private readonly digest = createHash('sha256')
  private readonly parts: FormPart[] = []
  private size = 0
  private fieldBytes = 0
  private partCount = 0
  /** Parts are read one after another, although the parser may be ahead by one chunk. */
  private reading: Promise<void> = Promise.resolve()
  /** Rejects when the form is refused. */
  private readonly refused = Promise.withResolvers<never>()
  private readonly parsed = Promise.withResolvers<void>()

  constructor(app: App, context: RequestContext, options: { boundary: string; sizeMax: number }) {
    this.app = app
    this.context = context
    this.sizeMax = options.sizeMax
    this.spool = new Spool(app, size => reserveBytes(app, context.body, size))
    this.refused.promise.catch(() => {})
    const limits = { boundary: options.boundary, maxHeaderPairs: 50, maxHeaderSize: headerMax }
    this.parser = new Dicer(limits)
    this.parser
      .on('part', part => this.onPart(part as unknown as Part))
      .on('finish', () => this.parsed.resolve())
      .on('error', error =>
        this.refused.reject(unreadable('The form ends before its last boundary.', error)),
      )
  }

  data(chunk: Buffer): Promise<void> | undefined {
    this.size += chunk.length
    if (this.size > this.sizeMax) throw tooLarge(this.sizeMax)
    // Bytes behind the last boundary mean nothing.
    if (!this.parser.writable) return undefined
    const taken = Promise.withResolvers<void>()
    this.parser.write(chunk, () => taken.resolve())
    // Where a large file and the form end in one chunk, the parser waits for a read of the file for which nobody asks any
    // more: that all parts were read says that it took the chunk.
    return Promise.race([taken.promise, this.parsed.promise, this.refused.promise])
  }

  async end(): Promise<Form> {
    if (this.parser.writable) this.parser.end()
    await Promise.race([this.parsed.promise, this.refused.promise])
    await Promise.race([this.reading, this.refused.promise])
    return new Form(this.parts, this.digest.digest('hex'), this.spool)
  }

  dispose() {
    this.parser.removeAllListeners('part').on('error', () => {})
    this.parser.destroy()
    this.spool.dispose()
  }

  private onPart(part: Part) {
    let headers: RawPartHeaders | undefined
    part.on('header', read => {
      headers = read as RawPartHeaders
    })
    // The reader of the part gets it too; without a listener an early one would end the process.
    part.on('error', () => {})
    if (++this.partCount > partsMax)
      return this.refused.reject(tooMany(`The limit is ${partsMax} parts.`))
    this.reading = this.reading.then(() => this.readPart(part, () => headers))
    this.reading.catch(error => this.refused.reject(error))
  }

  private async readPart(part: Part, headersOf: () => RawPartHeaders | undefined): Promise<void> {
    const start = this.spool.size
    const chunks: Buffer[] = []
    let size = 0
    let read: FormPart | undefined
    const begin = () => {
      const header = readPartHeader(headersOf())
      read = { ...header, value: undefined, start, end: start }
      const { name, filename, type } = header
      this.digest.update(JSON.stringify([name, filename, type]))
      return read
    }
    for await (const chunk of part) {
      const { filename } = read ?? begin()
      size += chunk.length
      this.digest.update(chunk)
      if (filename !== undefined) await this.spool.write(chunk)
      else this.addToField(chunks, chunk)
    }
    read ??= begin()
    this.digest.update(`${size}`)
    if (read.filename === undefined) read.value = Buffer.concat(chunks)
    read.end = this.spool.size
    this.parts.push(read)
  }

  private addToField(chunks: Buffer[], chunk: Buffer) {
    this.fieldBytes += chunk.length
    if (this.fieldBytes > fieldsMax)
      throw tooMany(`All fields together have at most ${fieldsMax / 1024 / 1024} MiB.`)
    reserveBytes(this.app, this.context.body, chunk.length)
    chunks.push(chunk)
  }
}

const tooMany = (hint: string) => new Fault('request.too_large', { hint })

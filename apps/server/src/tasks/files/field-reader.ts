const quote = 0x22
const backslash = 0x5c
const colon = 0x3a
const slash = 0x2f
const unicodeMark = 0x75
const blanks = new Set([0x20, 0x09, 0x0a, 0x0d])

export type FieldHandlers = {
  /** JSON without the contents of the field's texts. */
  onOther(bytes: Buffer): void
  /** A part of the text number `at` of the field. */
  onText(bytes: Buffer, at: number): void
}

/** Separates the texts of one field from the rest of a JSON document, in pieces of any size. */
export class FieldReader {
  private readonly field: string
  private readonly handlers: FieldHandlers
  private place: 'between' | 'text' | 'field' = 'between'
  /** The position of the field's last text. */
  private at = -1
  /** The beginning of the last text, which is a name if a colon follows. */
  private lastText = ''
  private isValue = false
  private isEscaped = false
  /** Hexadecimal digits of an escape that are still to come. */
  private digits = 0

  constructor(field: string, handlers: FieldHandlers) {
    this.field = field
    this.handlers = handlers
  }

  push(chunk: Buffer): void {
    let from = 0
    while (from < chunk.length) {
      if (this.place === 'field') from = this.readField(chunk, from)
      else {
        const end = this.place === 'text' ? this.readText(chunk, from) : this.readRest(chunk, from)
        this.handlers.onOther(chunk.subarray(from, end))
        from = end
      }
    }
  }

  private readRest(chunk: Buffer, from: number): number {
    for (let i = from; i < chunk.length; i += 1) {
      const byte = chunk[i]!
      if (byte === quote) {
        const isField = this.isValue && this.lastText === this.field
        this.place = isField ? 'field' : 'text'
        if (isField) this.at += 1
        this.lastText = ''
        this.isValue = false
        return i + 1
      }
      if (byte === colon) this.isValue = true
      else if (!blanks.has(byte)) this.isValue = false
    }
    return chunk.length
  }

  private readText(chunk: Buffer, from: number): number {
    for (let i = from; i < chunk.length; i += 1) {
      const byte = chunk[i]!
      if (this.isEscaped) this.isEscaped = false
      else if (byte === backslash) this.isEscaped = true
      else if (byte === quote) {
        this.place = 'between'
        return i + 1
      }
      if (this.lastText.length <= this.field.length) this.lastText += String.fromCharCode(byte)
    }
    return chunk.length
  }

  /** Base64 has no escape but that of a slash; others stand for its padding. The closing quote is left to the rest. */
  private readField(chunk: Buffer, from: number): number {
    if (this.digits > 0 || this.isEscaped) return this.readEscape(chunk, from)
    const closing = indexOrEnd(chunk, quote, from)
    const escaping = indexOrEnd(chunk.subarray(0, closing), backslash, from)
    if (escaping > from) this.handlers.onText(chunk.subarray(from, escaping), this.at)
    if (escaping < closing) {
      this.isEscaped = true
      return escaping + 1
    }
    // The closing quote belongs to the rest of the document.
    if (closing < chunk.length) this.place = 'text'
    return closing
  }

  private readEscape(chunk: Buffer, from: number): number {
    if (this.digits > 0) this.digits -= 1
    else {
      this.isEscaped = false
      if (chunk[from] === unicodeMark) this.digits = 4
      if (chunk[from] === slash) this.handlers.onText(chunk.subarray(from, from + 1), this.at)
    }
    return from + 1
  }
}

const indexOrEnd = (chunk: Buffer, byte: number, from: number): number => {
  const found = chunk.indexOf(byte, from)
  return found < 0 ? chunk.length : found
}

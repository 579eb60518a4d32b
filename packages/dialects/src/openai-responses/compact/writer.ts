import type { Part } from '../../canon.ts'
import type { EncodeOptions } from '../../dialect.ts'
import type { Json } from '../../json/json.ts'
import type { Mark } from '../../marks/mark.ts'
import { ItemWriter, type ItemWriterOptions } from '../item-writer.ts'
import type { Item } from '../items.ts'
import { declaredToolsOf } from '../namespaces.ts'
import { encodeSummary } from './summary.ts'

type SummaryWriterOptions = {
  mark: Mark
  emit: (type: string, fields: Json) => void
  idOf: (prefix: string, index: number) => string
}

/** Writes the text of an answer as one `compaction` item. An answer without a text has none. */
class SummaryWriter {
  readonly items: Item[] = []
  private readonly options: SummaryWriterOptions
  private readonly texts: string[] = []
  private isInText = false
  private hasBegun = false

  constructor(options: SummaryWriterOptions) {
    this.options = options
  }

  addPart(part: Part): void {
    this.isInText = part.type === 'text'
    if (part.type === 'text') this.texts.push(part.text)
    if (this.hasBegun) return
    this.hasBegun = true
    const item = this.itemOf('')
    this.options.emit('response.output_item.added', { output_index: 0, item })
    this.options.emit('response.compaction.compacting', { item_id: item.id, output_index: 0 })
  }

  addDelta(text: string): void {
    if (this.isInText) this.texts[this.texts.length - 1] += text
  }

  addCitation(): void {}

  addSignature(): void {}

  addUnknownFields(): void {}

  addProgress(): void {}

  close(): void {
    const summary = this.texts.join('\n').trim()
    if (summary === '' || this.items.length > 0) return
    const item = this.itemOf(encodeSummary(summary, this.options.mark))
    this.options.emit('response.output_item.done', { output_index: 0, item })
    this.items.push(item)
  }

  private itemOf(encrypted_content: string): Item {
    return { id: this.options.idOf('cmp', 0), type: 'compaction', encrypted_content }
  }
}

type WriterOptions = Omit<ItemWriterOptions, 'declaredTools'> & Pick<SummaryWriterOptions, 'idOf'>

/** The writer of a response. A summary is written as one item of its own. */
export const writerOf = (
  { summaryMark: mark, request }: EncodeOptions,
  options: WriterOptions,
): ItemWriter | SummaryWriter =>
  mark === undefined
    ? new ItemWriter({ ...options, declaredTools: declaredToolsOf(request) })
    : new SummaryWriter({ mark, emit: options.emit, idOf: options.idOf })

import type { ChatEvent, Failure, Finish, ReportedUsage } from '../../canon.ts'
import type { EncodeOptions, StreamEncoder } from '../../dialect.ts'
import type { Json } from '../../json/json.ts'
import { warningCollector } from '../../warnings.ts'
import { noSummary } from '../compact/summary.ts'
import { writerOf } from '../compact/writer.ts'
import { dialectId, ownFields, unknownFieldsFor } from '../items.ts'
import { defaultId, encodeFinish, encodeReportedUsage, responseOf } from '../response.ts'

type ResponseHead = Omit<Extract<ChatEvent, { type: 'start' }>, 'type'>

export const encodeEvents = (options: EncodeOptions = {}): StreamEncoder =>
  new ResponsesStreamEncoder(options)

/** Writes the events that the official client requires: numbered, and items opened and closed in order. */
class ResponsesStreamEncoder implements StreamEncoder {
  readonly warnings
  private readonly options: EncodeOptions
  private readonly collector = warningCollector(dialectId)
  private readonly writer: ReturnType<typeof writerOf>
  private frames = ''
  private sequence = 0
  private head: ResponseHead = { id: '', model: '' }
  private hasBegun = false
  private isOver = false
  private reportedUsage: ReportedUsage | undefined
  private finish: Finish | undefined

  constructor(options: EncodeOptions) {
    this.options = options
    this.warnings = this.collector.list
    this.writer = writerOf(options, {
      warnings: this.collector,
      emit: (type, fields) => this.emit(type, fields),
      idOf: (prefix, index) => defaultId(prefix, this.head.id, index),
    })
  }

  push(event: ChatEvent): string {
    if (this.isOver) return ''
    this.encode(event)
    const { frames } = this
    this.frames = ''
    return frames
  }

  private emit(type: string, fields: Json): void {
    const frame = JSON.stringify({ type, sequence_number: this.sequence, ...fields })
    this.sequence += 1
    this.frames += `event: ${type}\ndata: ${frame}\n\n`
  }

  private encode(event: ChatEvent): void {
    if (event.type === 'start') {
      const { type, ...head } = event
      this.head = head
      this.reportedUsage = event.reportedUsage
      this.collector.warnForeignFields(event.unknownFields)
      this.begin()
      return
    }
    this.begin()
    if ('choice' in event && event.choice) {
      this.collector.warnDropped('choices')
      return
    }
    switch (event.type) {
      case 'part':
        this.writer.addPart(event.part)
        return
      case 'delta':
        this.writer.addDelta(event.text, event.logprobs)
        return
      case 'transcript':
        this.collector.warnDropped('transcript')
        return
      case 'signature':
        this.writer.addSignature(event.signature)
        return
      case 'citation':
        this.writer.addCitation(event.citation)
        return
      case 'usage':
        this.reportedUsage = { ...this.reportedUsage, ...event.reportedUsage }
        return
      case 'finish':
        this.finish = event.finish
        return
      case 'unknown-fields':
        this.addUnknownFields(event)
        return
      case 'opaque':
        if (event.dialect === dialectId) this.writer.addProgress(event.name, event.value as Json)
        return
      case 'failure':
        this.fail(event.failure)
        return
      case 'end':
        this.end()
        return
    }
  }

  private begin(): void {
    if (this.hasBegun) return
    this.hasBegun = true
    const state = { status: 'in_progress', output: [], usage: null }
    const response = responseOf(this.head, state, this.options)
    this.emit('response.created', { response })
    this.emit('response.in_progress', { response })
  }

  private addUnknownFields({
    index,
    unknownFields,
  }: Extract<ChatEvent, { type: 'unknown-fields' }>): void {
    if (index !== undefined) {
      this.writer.addUnknownFields(unknownFields)
      return
    }
    this.collector.warnForeignFields(unknownFields)
    const fields = { ...ownFields(this.head.unknownFields), ...ownFields(unknownFields) }
    this.head = { ...this.head, ...unknownFieldsFor(fields) }
  }

  private end(): void {
    this.isOver = true
    this.writer.close()
    if (this.options.summaryMark !== undefined && this.writer.items.length === 0) {
      this.fail({ type: 'server_error', ...noSummary })
      return
    }
    const ended = encodeFinish(this.finish ?? { reason: 'stop' }, this.collector)
    const usage = encodeReportedUsage(this.reportedUsage)
    const state = { output: this.writer.items, ...ended, usage }
    const response = responseOf(this.head, state, this.options)
    this.emit(`response.${response.status}`, { response })
  }

  private fail({ message, type, code, unknownFields }: Failure): void {
    this.isOver = true
    this.writer.close()
    const error = { type, code, message, param: null, ...ownFields(unknownFields) }
    this.emit('error', { error })
    const state = {
      status: 'failed',
      error: { code, message },
      output: this.writer.items,
      usage: this.reportedUsage ? encodeReportedUsage(this.reportedUsage) : null,
    }
    this.emit('response.failed', { response: responseOf(this.head, state, this.options) })
  }
}

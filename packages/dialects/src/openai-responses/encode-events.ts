import type { ChatEvent, Failure, Finish, ReportedUsage } from '../canon.ts'
import type { EncodeOptions, StreamEncoder } from '../dialect.ts'
import type { Json } from '../json.ts'
import { warningCollector } from '../warnings.ts'
import { extraOf, own, ownFields } from './items.ts'
import { customNamesOf, defaultId, encodeFinish, encodeReported, responseOf } from './reply.ts'
import { makeWriter } from './writer.ts'

type Facts = Omit<Extract<ChatEvent, { type: 'start' }>, 'type'>

/** Tells a stream of events as the official client wants it: numbered, each item opened, told and closed in its turn. */
export const encodeEvents = (manner: EncodeOptions = {}): StreamEncoder => {
  const warnings = warningCollector(own)
  let bytes = ''
  let sequence = 0
  let facts: Facts = { id: '', model: '' }
  let hasBegun = false
  let hasEnded = false
  let reportedUsage: ReportedUsage | undefined
  let finish: Finish | undefined

  const emit = (type: string, fields: Json) => {
    const frame = JSON.stringify({ type, sequence_number: sequence, ...fields })
    sequence += 1
    bytes += `event: ${type}\ndata: ${frame}\n\n`
  }

  const writer = makeWriter({
    warnings,
    emit,
    idOf: (prefix, index) => defaultId(prefix, facts.id, index),
    customNames: customNamesOf(manner),
  })

  const begin = () => {
    if (hasBegun) return
    hasBegun = true
    const response = responseOf(facts, { status: 'in_progress', output: [], usage: null }, manner)
    emit('response.created', { response })
    emit('response.in_progress', { response })
  }

  const end = () => {
    hasEnded = true
    writer.close()
    const ended = encodeFinish(finish ?? { reason: 'stop' }, warnings)
    const state = { output: writer.items, ...ended, usage: encodeReported(reportedUsage) }
    const response = responseOf(facts, state, manner)
    emit(`response.${response.status}`, { response })
  }

  const fail = ({ message, type, code, unknownFields }: Failure) => {
    hasEnded = true
    writer.close()
    const error = { type, code, message, param: null, ...ownFields(unknownFields) }
    emit('error', { error })
    const state = {
      status: 'failed',
      error: { code, message },
      output: writer.items,
      usage: reportedUsage ? encodeReported(reportedUsage) : null,
    }
    emit('response.failed', { response: responseOf(facts, state, manner) })
  }

  const tell = (event: ChatEvent) => {
    if (event.type === 'start') {
      const { type, ...rest } = event
      facts = rest
      reportedUsage = event.reportedUsage
      warnings.warnForeignFields(event.unknownFields)
      return begin()
    }
    begin()
    if ('choice' in event && event.choice) return warnings.warnDropped('choices')
    switch (event.type) {
      case 'part':
        return writer.part(event.part)
      case 'delta':
        return writer.delta(event.text, event.logprobs)
      case 'transcript':
        return warnings.warnDropped('transcript')
      case 'signature':
        return writer.prove(event.signature)
      case 'citation':
        return writer.cite(event.citation)
      case 'usage':
        reportedUsage = { ...reportedUsage, ...event.reportedUsage }
        return
      case 'finish':
        finish = event.finish
        return
      case 'unknown-fields':
        if (event.index !== undefined) return writer.unknownFields(event.unknownFields)
        warnings.warnForeignFields(event.unknownFields)
        facts = {
          ...facts,
          ...extraOf({ ...ownFields(facts.unknownFields), ...ownFields(event.unknownFields) }),
        }
        return
      case 'opaque':
        if (event.dialect === own) writer.progress(event.name, event.value as Json)
        return
      case 'failure':
        return fail(event.failure)
      case 'end':
        return end()
    }
  }

  return {
    push: event => {
      if (hasEnded) return ''
      tell(event)
      const told = bytes
      bytes = ''
      return told
    },
    warnings: warnings.list,
  }
}

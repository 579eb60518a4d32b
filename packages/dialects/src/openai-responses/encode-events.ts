import type { ChatEvent, Failure, Finish, Reported } from '../canon.ts'
import type { Encoder, Manner } from '../dialect.ts'
import type { Json } from '../json.ts'
import { noting } from '../notes.ts'
import { extraOf, own, ownFields } from './items.ts'
import { customNamesOf, defaultId, encodeFinish, encodeReported, responseOf } from './reply.ts'
import { makeWriter } from './writer.ts'

type Facts = Omit<Extract<ChatEvent, { type: 'start' }>, 'type'>

/** Tells a stream of events as the official client wants it: numbered, each item opened, told and closed in its turn. */
export const encodeEvents = (manner: Manner = {}): Encoder => {
  const notes = noting(own)
  let bytes = ''
  let sequence = 0
  let facts: Facts = { id: '', model: '' }
  let hasBegun = false
  let hasEnded = false
  let reported: Reported | undefined
  let finish: Finish | undefined

  const emit = (type: string, fields: Json) => {
    const frame = JSON.stringify({ type, sequence_number: sequence, ...fields })
    sequence += 1
    bytes += `event: ${type}\ndata: ${frame}\n\n`
  }

  const writer = makeWriter({
    notes,
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
    const ended = encodeFinish(finish ?? { reason: 'stop' }, notes)
    const state = { output: writer.items, ...ended, usage: encodeReported(reported) }
    const response = responseOf(facts, state, manner)
    emit(`response.${response.status}`, { response })
  }

  const fail = ({ message, type, code, extra }: Failure) => {
    hasEnded = true
    writer.close()
    const error = { type, code, message, param: null, ...ownFields(extra) }
    emit('error', { error })
    const state = {
      status: 'failed',
      error: { code, message },
      output: writer.items,
      usage: reported ? encodeReported(reported) : null,
    }
    emit('response.failed', { response: responseOf(facts, state, manner) })
  }

  const tell = (event: ChatEvent) => {
    if (event.type === 'start') {
      const { type, ...rest } = event
      facts = rest
      reported = event.reported
      notes.dropForeign(event.extra)
      return begin()
    }
    begin()
    if ('choice' in event && event.choice) return notes.drop('choices')
    switch (event.type) {
      case 'part':
        return writer.part(event.part)
      case 'delta':
        return writer.delta(event.text, event.logprobs)
      case 'transcript':
        return notes.drop('transcript')
      case 'proof':
        return writer.prove(event.proof)
      case 'citation':
        return writer.cite(event.citation)
      case 'usage':
        reported = { ...reported, ...event.reported }
        return
      case 'finish':
        finish = event.finish
        return
      case 'extra':
        if (event.index !== undefined) return writer.extra(event.extra)
        notes.dropForeign(event.extra)
        facts = {
          ...facts,
          ...extraOf({ ...ownFields(facts.extra), ...ownFields(event.extra) }),
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
    notes: notes.notes,
  }
}

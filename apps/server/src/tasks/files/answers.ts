import { Fault } from '@hub/contract'
import type { Answer } from '../../relay/upstream/send.ts'
import { FieldReader } from './field-reader.ts'

/** The JSON of an answer without the files in one of its fields, so that it stays small. */
export const withoutFiles = (answer: Answer, field: string): Answer => ({
  ...answer,
  read: reader => {
    const fields = new FieldReader(field, {
      onOther: bytes => reader.data(bytes),
      onText: () => undefined,
    })
    answer.read({
      data: chunk => fields.push(chunk),
      end: () => reader.end(),
      broke: fault => reader.broke(fault),
    })
  },
})

export type FileInAnswer = { field: string; index: number }

/** One file of an answer, decoded as it arrives. The length is unknown. */
export const fileIn = (answer: Answer, { field, index }: FileInAnswer): Answer => ({
  ...answer,
  headers: {},
  read: reader => {
    let pending = ''
    let isFound = false
    const decode = (text: string) => {
      const bytes = Buffer.from(text, 'base64')
      if (bytes.length > 0) reader.data(bytes)
    }
    const fields = new FieldReader(field, {
      onOther: () => undefined,
      onText: (bytes, at) => {
        if (at !== index) return
        isFound = true
        const text = pending + bytes.toString('latin1')
        const whole = text.length - (text.length % 4)
        pending = text.slice(whole)
        decode(text.slice(0, whole))
      },
    })
    answer.read({
      data: chunk => fields.push(chunk),
      end: () => {
        decode(pending)
        if (isFound) reader.end()
        else reader.broke(new Fault('stored.unavailable', { detail: 'the answer has no file' }))
      },
      broke: fault => reader.broke(fault),
    })
  },
})

import type { IncomingHttpHeaders } from 'node:http'
import type { Json } from '../relay-hub.ts'

export type VideoCall = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  text: string
  body: Json
}
export type VideoTask = { id: string; body: Json; word: string }

/** The fake server that a vendor's answers name. */
export type VideoServer = { url: string; video: Buffer }

export type FakeAnswer = { status: number; json?: Json; location?: string; bytes?: Buffer }

/** A vendor's API as its documents describe it. */
export type VideoApi = {
  name: string
  type: number
  model: string
  /** Fields of the channel besides its address. */
  channel?: object
  /** The path of the channel's address. */
  basePath?: string
  /** A request's fields, and the body that the vendor must receive for them. */
  fields: Json
  sent: Json
  /** Requests that are refused before the vendor is asked. */
  refused: readonly object[]
  unit: string
  words: { queued: string; running: string; done: string; failed: string }
  /** The reason why the vendor refuses a request without reading it. */
  problem(call: VideoCall): string | undefined
  createPath: RegExp
  pollPath: RegExp
  pollMethod?: 'POST'
  idIn(call: VideoCall): string
  /** The vendor's id of the task with this number. */
  idOf?(number: number): string
  accepted(id: string): Json
  /** How the vendor refuses a request against its rules, and the words in it that the caller reads. */
  refusal: { status: number; json: Json; message: string }
  show(task: VideoTask, server: VideoServer): Json
  /** DELETE at the address of a poll. False: the vendor refuses it. */
  remove?(task: VideoTask, forget: () => void): boolean
  /** Further addresses; undefined: not found. */
  other?(call: VideoCall, server: VideoServer): FakeAnswer | undefined
}

/** A vendor that wants this header. */
export const wants =
  (name: string, value: string): VideoApi['problem'] =>
  ({ headers }) =>
    headers[name] === value ? undefined : `${name} must be ${value}`

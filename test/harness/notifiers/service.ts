import type { IncomingHttpHeaders } from 'node:http'

export type ServiceRequest = {
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: string
  /** Milliseconds of the test's clock. */
  now: number
}
export type ServiceAnswer = { status: number; body: string; headers?: Record<string, string> }

/** How a request ends. Undefined: as the service decides. */
export type Outcome =
  | 'fault'
  | 'limit'
  | 'refuse'
  | 'hang up'
  | 'lose answer'
  | ServiceAnswer
  | undefined

/** A fake of one service. It throws nothing: it answers a wrong request as the service does. */
export type FakeService = {
  /** The settings of a target of it. */
  config(origin: string): Record<string, string>
  /** Accepts a message, or answers as the service does. `accept` records the text that a person would read. */
  handle(request: ServiceRequest, accept: (text: string) => void): ServiceAnswer
  /** Answers of the service for failures that pass. */
  faults: readonly ServiceAnswer[]
  /** Its answer to too many messages, and the seconds after which it takes the next one. */
  limit?: { answer: ServiceAnswer; seconds: number }
  /** The answer of the service for a failure that repeating the message does not mend. */
  refusal: ServiceAnswer
}

export const json = (value: unknown, status = 200): ServiceAnswer => ({
  status,
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json' },
})

/** A sliding window of the clock. Returns false for a request above the limit. */
export const makeRate = (most: number, windowMs: number) => {
  let times: number[] = []
  return (now: number): boolean => {
    times = times.filter(each => each > now - windowMs)
    if (times.length >= most) return false
    times.push(now)
    return true
  }
}

export const parse = (body: string): Record<string, unknown> => {
  const value: unknown = JSON.parse(body)
  return value as Record<string, unknown>
}

/** Services refuse texts that are not valid Unicode. */
export const isWellFormed = (body: string): boolean => {
  let isValid = true
  JSON.parse(body, (_key, value: unknown) => {
    if (typeof value === 'string' && !value.isWellFormed()) isValid = false
    return value
  })
  return isValid
}

/**
 * Returns the text of a Markdown message as a reader sees it, or undefined if it contains markup that the product did
 * not write: HTML, an image, a list, a heading or a link to another host.
 */
export const readMarkdown = (markdown: string, linkHost: string): string | undefined => {
  const links: string[] = []
  const unescaped = markdown.replace(/\\([!-/:-@[-`{-~])/g, (_all, character: string) =>
    String.fromCodePoint(0xe000 + character.charCodeAt(0)),
  )
  const text = unescaped
    .replace(/\[([^\][]*)\]\(([^()\s]*)\)/g, (_all, label: string, url: string) => {
      links.push(url)
      return label
    })
    .replace(/^### /, '')
    .replace(/^\*\*(.*)\*\*$/m, '$1')
  if (links.some(each => new URL(each).host !== linkHost)) return undefined
  if (/[<>[\]`*]/.test(text) || /^\s*#/m.test(text)) return undefined
  return text.replace(/[\ue000-\ue07f]/g, each => String.fromCharCode(each.charCodeAt(0) - 0xe000))
}

import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '@hub/contract'
import type { FastifyInstance } from 'fastify'

export const bodyBytesMax = 1024 * 1024
const depthMax = 64
const bodySeconds = 30

/** Accepts JSON bodies only. Keys that would reach a prototype (`__proto__`, `constructor`) are removed while parsing. */
export const acceptOnlyJson = (scope: FastifyInstance) => {
  const parse = scope.getDefaultJsonParser('remove', 'remove')
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: bodyBytesMax },
    (request, body, done) => {
      const text = body as string
      if (text.trim() === '') return done(null, undefined)
      if (isTooDeep(text)) return done(new Fault('request.too_deep'))
      return parse(request, text, (error, value) =>
        error ? done(new Fault('request.unreadable')) : done(null, value),
      )
    },
  )
  limitBodyTime(scope)
}

/** Limits how long a console body may take. The server itself has no such limit because relay bodies may be large. */
export const limitBodyTime = (scope: FastifyInstance) => {
  scope.addHook('preParsing', async (request, _reply, payload) => {
    // Nothing reads the end of a request without a body before its answer, which may take longer: an export of logs does.
    if (!hasBody(request.headers)) return payload
    const timer = setTimeout(() => request.raw.destroy(), bodySeconds * 1000)
    payload.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
    return payload
  })
}

const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** True when brackets outside strings nest deeper than 64, which could overflow the stack of a recursive reader. */
export const isTooDeep = (text: string): boolean => {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (inString) {
      if (char === 92) at++
      else if (char === 34) inString = false
    } else if (char === 34) inString = true
    else if (char === 91 || char === 123) {
      if (++depth > depthMax) return true
    } else if (char === 93 || char === 125) depth--
  }
  return false
}

import { Fault } from '@hub/contract'
import type { FastifyInstance } from 'fastify'

export const bodyBytesMax = 1024 * 1024
const depthMax = 64
const bodySeconds = 30

/** The console's requests are JSON and nothing else; keys that reach for a prototype are dropped while reading. */
export const readBodiesAsJson = (scope: FastifyInstance) => {
  const parse = scope.getDefaultJsonParser('remove', 'remove')
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: bodyBytesMax },
    (request, body, done) => {
      const text = body as string
      if (text.trim() === '') return done(null, undefined)
      if (isTooDeep(text)) return done(new Fault('request.too-deep'))
      return parse(request, text, (error, value) =>
        error ? done(new Fault('request.unreadable')) : done(null, value),
      )
    },
  )
  giveUpOnSlowBodies(scope)
}

/** The server's own time limit must leave room for large relay bodies; a console request has none. */
const giveUpOnSlowBodies = (scope: FastifyInstance) => {
  scope.addHook('preParsing', async (request, _reply, payload) => {
    const timer = setTimeout(() => request.raw.destroy(), bodySeconds * 1000)
    payload.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
    return payload
  })
}

/** Brackets outside strings. A megabyte of `[` would otherwise cost a stack wherever the value is walked. */
export const isTooDeep = (text: string): boolean => {
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (quoted) {
      if (char === 92) at++
      else if (char === 34) quoted = false
    } else if (char === 34) quoted = true
    else if (char === 91 || char === 123) {
      if (++depth > depthMax) return true
    } else if (char === 93 || char === 125) depth--
  }
  return false
}

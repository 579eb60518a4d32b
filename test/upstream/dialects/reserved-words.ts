import type { IncomingMessage } from 'node:http'
import type { Refusal } from './openai-rules.ts'

const message =
  'x-anthropic-billing-header is a reserved keyword and may not be used in the system prompt'

/**
 * Refuses a prompt that has Claude Code's billing line, as each API of Bedrock does:
 * https://github.com/anthropics/claude-code/issues/24168, https://github.com/anthropics/claude-code/issues/25017
 */
export const reservedWordRefusal = (
  path: string,
  headers: IncomingMessage['headers'],
  body: Buffer,
): Refusal | undefined => {
  if (!body.includes('x-anthropic-billing-header') || !isBedrock(path, headers)) return undefined
  const { system, messages } = JSON.parse(body.toString()) as Prompt
  const instructions = [system, messages?.filter(({ role }) => role === 'system')]
  if (!JSON.stringify(instructions).includes('x-anthropic-billing-header')) return undefined
  const isMessages = path.includes('/anthropic/')
  const error = { type: 'error', error: { type: 'invalid_request_error', message } }
  return { status: 400, body: (isMessages ? error : { message }) as unknown as Refusal['body'] }
}

type Prompt = { system?: unknown; messages?: { role?: string }[] }

/** Its Messages API takes keys in this header, or signatures for this service. */
const isBedrock = (path: string, headers: IncomingMessage['headers']): boolean =>
  /\/model\/[^/]+\/(invoke|converse)/.test(path) ||
  (path.includes('/anthropic/v1/messages') &&
    (headers['x-api-key'] !== undefined ||
      String(headers.authorization).includes('bedrock-mantle')))

import { describe, expect, it } from 'vitest'
import { mediaRule as geminiRule } from '../gemini/media.ts'
import { readTop } from './read-request.ts'

const hasTools = (body: string, rule?: Parameters<typeof readTop>[2]) => {
  const read = readTop(Buffer.from(body), [], rule)
  if (!read.ok) throw new Error(read.hint)
  return read.hasVendorTools
}

describe('tools that a vendor runs itself', () => {
  it.each([
    ['web search', '{"tools":[{"type":"web_search"}]}'],
    ['a type with a version', '{"tools":[{"name":"web_search","type":"web_search_20250305"}]}'],
    ['a remote MCP server', '{"tools":[{"type":"mcp","server_url":"https://example.com"}]}'],
    ['a type with an escape', '{"tools":[{"type":"web\\u005fsearch"}]}'],
    ['a type whose first letter is an escape', '{"tools":[{"type":"\\u0077eb_search"}]}'],
    ['a type of escapes only', `{"tools":[{"type":"${escapeAll('code_interpreter')}"}]}`],
    ['a key with an escape', '{"tools":[{"t\\u0079pe":"file_search"}]}'],
  ])('finds %s', (_title, body) => {
    expect(hasTools(body)).toBe(true)
  })

  it.each([
    ['a function', '{"tools":[{"type":"function","name":"web_search"}]}'],
    ['an earlier search call', '{"input":[{"type":"web_search_call","status":"completed"}]}'],
    ['the words in a message', '{"input":[{"type":"message","content":"web_search"}]}'],
    ['a list of types', '{"include":["web_search"]}'],
  ])('leaves out %s', (_title, body) => {
    expect(hasTools(body)).toBe(false)
  })

  it('finds tools of Gemini by their keys, escaped too, and not in texts', () => {
    expect(hasTools('{"tools":[{"google_search":{}}]}', geminiRule)).toBe(true)
    expect(hasTools('{"tools":[{"google\\u0053earch":{}}]}', geminiRule)).toBe(true)
    expect(hasTools('{"tools":[{"functionDeclarations":[{}]}]}', geminiRule)).toBe(false)
    expect(hasTools('{"contents":[{"parts":[{"text":"googleSearch"}]}]}', geminiRule)).toBe(false)
  })
})

function escapeAll(text: string): string {
  return [...text].map(each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
}

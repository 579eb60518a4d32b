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
    // https://developers.openai.com/api/docs/guides/tools
    ...['web_search', 'web_search_2025_08_26', 'web_search_preview'],
    ...['web_search_preview_2025_03_11', 'file_search', 'code_interpreter', 'image_generation'],
    ...['mcp', 'shell', 'tool_search'],
    // https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-reference
    ...['web_search_20250305', 'web_search_20260209', 'web_search_20260318'],
    ...['web_fetch_20250910', 'web_fetch_20260209', 'web_fetch_20260309', 'web_fetch_20260318'],
    ...['code_execution_20250522', 'code_execution_20250825', 'code_execution_20260120'],
    ...['code_execution_20260521', 'bash_code_execution_20250825'],
    ...['advisor_20260301', 'mcp_toolset'],
    ...['tool_search_tool_regex_20251119', 'tool_search_tool_bm25_20251119'],
    ...['tool_search_tool_regex', 'tool_search_tool_bm25'],
    // https://openrouter.ai/docs/guides/features/server-tools
    ...['openrouter:web_search', 'openrouter:web_fetch', 'openrouter:image_generation'],
    ...['openrouter:datetime', 'openrouter:shell', 'openrouter:fusion', 'openrouter:advisor'],
    ...['openrouter:subagent', 'openrouter:apply_patch', 'openrouter:files', 'openrouter:bash'],
    'openrouter:experimental__search_models',
    // https://docs.x.ai/developers/tools/overview
    ...['x_search', 'code_execution', 'collections_search', 'attachment_search', 'live_search'],
    // https://ai.google.dev/gemini-api/docs/interactions
    ...['google_search', 'url_context', 'google_maps', 'mcp_server'],
    // Groq, Mistral, Moonshot, Qwen, Zhipu
    ...['browser_search', 'browser_automation', 'document_library', 'web_search_premium'],
    ...['builtin_function', 'web_extractor', 'image_search', 'web_search_image', 'retrieval'],
  ])('finds the tool %s', type => {
    expect(hasTools(JSON.stringify({ tools: [{ type }] }))).toBe(true)
    expect(hasTools(`{"tools":[{"type":"${escapeAll(type)}"}]}`)).toBe(true)
  })

  it.each([
    ...['function', 'custom', 'namespace', 'local_shell', 'apply_patch'],
    ...['computer', 'computer_use_preview', 'computer_20251124', 'bash_20250124'],
    ...['text_editor_20250728', 'memory_20250818', 'image_url', 'input_image', 'text'],
    ...['image_generation_call', 'shell_call', 'mcp_call', 'tool_search_call', 'tool_result'],
    ...['tool_use', 'server_tool_use', 'web_search_tool_result', 'advisor_tool_result'],
  ])('leaves out the type %s, which no vendor runs', type => {
    expect(hasTools(JSON.stringify({ tools: [{ type }] }))).toBe(false)
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
    for (const key of geminiRule.toolKeys!)
      expect(hasTools(`{"tools":[{"${key}":{}}]}`, geminiRule)).toBe(true)
    for (const key of ['retrieval', 'mcpServers', 'mcp_servers'])
      expect(geminiRule.toolKeys).toContain(key)
    expect(hasTools('{"tools":[{"google\\u0053earch":{}}]}', geminiRule)).toBe(true)
    expect(hasTools('{"tools":[{"functionDeclarations":[{}]}]}', geminiRule)).toBe(false)
    expect(hasTools('{"contents":[{"parts":[{"text":"googleSearch"}]}]}', geminiRule)).toBe(false)
  })
})

function escapeAll(text: string): string {
  return [...text].map(each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
}

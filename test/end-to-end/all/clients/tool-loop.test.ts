import Anthropic from '@anthropic-ai/sdk'
import { type Content, GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answers, calls } from './answers.ts'
import { sayingOf } from './codex-reader.ts'
import { type Model, type Stage, startStage } from './stage.ts'

// Four turns with the tool of an MCP server, through a vendor that enforces OpenAI's rule for gpt-5.4 and later: chat
// completions refuse function tools together with reasoning, and Responses sampling parameters
// (test/upstream/dialects/openai-rules.ts).

const schema = {
  type: 'object' as const,
  properties: { path: { type: 'string' } },
  required: ['path'],
}
const description = 'Reads a file.'
const paths = ['/one', '/two', '/three']
const final = 'All three are empty.'

type Call = { id: string; name: string; args: unknown }
type Answer = { calls: Call[]; text: string }
type Conversation = { send(): Promise<Answer>; addResult(call: Call, output: string): void }
type Client = { name: string; tool: string; start(model: string): Conversation }

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage?.close())

/** Claude Code: Messages, streamed, with adaptive thinking. */
const claudeCode: Client = {
  name: 'Claude Code',
  tool: 'mcp__files__read_file',
  start: model => {
    const baseURL = stage.url
    const client = new Anthropic({
      authToken: stage.person.key,
      apiKey: null,
      baseURL,
      maxRetries: 0,
    })
    const messages: Anthropic.Beta.BetaMessageParam[] = [{ role: 'user', content: 'Read three.' }]
    const send = async () => {
      const { content } = await client.beta.messages
        .stream({
          model,
          max_tokens: 32_000,
          system: [{ type: 'text', text: 'You are Claude Code.' }],
          messages,
          tools: [{ name: claudeCode.tool, description, input_schema: schema }],
          thinking: { type: 'adaptive' },
        })
        .finalMessage()
      messages.push({ role: 'assistant', content })
      const made = content.filter(each => each.type === 'tool_use')
      return {
        calls: made.map(({ id, name, input }) => ({ id, name, args: input })),
        text: content.map(each => (each.type === 'text' ? each.text : '')).join(''),
      }
    }
    const addResult = ({ id }: Call, output: string) =>
      void messages.push({
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: output }],
      })
    return { send, addResult }
  },
}

/** Gemini CLI: streamGenerateContent with functionDeclarations. */
const geminiCli: Client = {
  name: 'Gemini CLI',
  tool: 'mcp_files_read_file',
  start: model => {
    const client = new GoogleGenAI({
      apiKey: stage.person.key,
      httpOptions: { baseUrl: stage.url },
    })
    const contents: Content[] = [{ role: 'user', parts: [{ text: 'Read three.' }] }]
    const send = async () => {
      const stream = await client.models.generateContentStream({
        model,
        contents,
        config: {
          systemInstruction: 'You are an interactive CLI agent.',
          temperature: 1,
          topP: 0.95,
          topK: 64,
          thinkingConfig: { includeThoughts: true },
          tools: [
            {
              functionDeclarations: [
                { name: geminiCli.tool, description, parametersJsonSchema: schema },
              ],
            },
          ],
        },
      })
      const parts = []
      for await (const { candidates } of stream)
        parts.push(...(candidates?.[0]?.content?.parts ?? []).filter(each => !each.thought))
      contents.push({ role: 'model', parts })
      const made = parts.flatMap(each => each.functionCall ?? [])
      return {
        calls: made.map(({ id = '', name = '', args }) => ({ id, name, args })),
        text: parts.map(each => each.text ?? '').join(''),
      }
    }
    const addResult = ({ id, name }: Call, output: string) =>
      void contents.push({
        role: 'user',
        parts: [{ functionResponse: { ...(id && { id }), name, response: { output } } }],
      })
    return { send, addResult }
  },
}

/** Clients of chat completions, such as opencode. */
const chatClient: Client = {
  name: 'a chat client',
  tool: 'files_read_file',
  start: model => {
    const client = new OpenAI({
      apiKey: stage.person.key,
      baseURL: `${stage.url}/v1`,
      maxRetries: 0,
    })
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Read three.' }]
    const send = async () => {
      const { choices } = await client.chat.completions
        .stream({
          model,
          messages,
          reasoning_effort: 'high',
          tools: [
            {
              type: 'function',
              function: { name: chatClient.tool, description, parameters: schema },
            },
          ],
        })
        .finalChatCompletion()
      const { message } = choices[0]!
      messages.push(message)
      const made = (message.tool_calls ?? []).flatMap(each =>
        each.type === 'function' ? { id: each.id, ...each.function } : [],
      )
      return {
        calls: made.map(({ id, name, arguments: json }) => ({ id, name, args: JSON.parse(json) })),
        text: message.content ?? '',
      }
    }
    const addResult = ({ id }: Call, content: string) =>
      void messages.push({ role: 'tool', tool_call_id: id, content })
    return { send, addResult }
  },
}

/** Codex: Responses, one namespace for each MCP server (openai/codex#33263). */
const codex: Client = {
  name: 'Codex',
  tool: 'read_file',
  start: model => {
    const namespace = 'mcp__files'
    const input: object[] = [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Read three.' }] },
    ]
    const send = async () => {
      const response = await fetch(`${stage.url}/v1/responses`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${stage.person.key}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({
          model,
          instructions: 'You are Codex.',
          input,
          tools: [
            {
              type: 'namespace',
              name: namespace,
              description: 'Files.',
              tools: [
                {
                  type: 'function',
                  name: codex.tool,
                  description,
                  strict: false,
                  parameters: schema,
                },
              ],
            },
          ],
          reasoning: { effort: 'high' },
          store: false,
          stream: true,
          include: ['reasoning.encrypted_content'],
        }),
      })
      const { items, text } = await sayingOf(response)
      input.push(...items.map(({ id: _, status: __, ...item }) => item))
      const made = items.filter(each => each.type === 'function_call')
      return {
        calls: made.map(each => ({
          id: String(each.call_id),
          name: String(each.name),
          args: JSON.parse(String(each.arguments)),
        })),
        text,
      }
    }
    const addResult = ({ id }: Call, output: string) =>
      void input.push({ type: 'function_call_output', call_id: id, output })
    return { send, addResult }
  },
}

const loop = async ({ tool, start }: Client, { model, next, requests }: Model): Promise<void> => {
  for (const path of paths) next(calls('openai-responses', { name: tool, args: { path } }))
  next(answers('openai-responses', final))
  const { send, addResult } = start(model)
  for (const path of paths) {
    const response = await send()
    expect(response.calls).toMatchObject([{ name: tool, args: { path } }])
    addResult(response.calls[0]!, `${path} is empty`)
  }
  expect((await send()).text).toBe(final)
  expect(requests.map(each => each.path)).toEqual(Array(4).fill('/v1/responses'))
  const last = requests.at(-1)!.text
  for (const path of paths) expect(last).toContain(`${path} is empty`)
}

it.each([claudeCode, geminiCli, chatClient, codex])(
  '$name runs four turns with a tool on a model whose tools only Responses serves',
  async client => {
    for (const name of ['gpt-5.4', 'gpt-5.6-sol'])
      await loop(client, await stage.model('openai-responses', {}, name))
  },
)

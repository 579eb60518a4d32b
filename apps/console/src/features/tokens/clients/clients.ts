import type { DialectId } from '../../../domain/calls/index.ts'
import { makeCurlCommand, quoteShell } from '../../../domain/server-address.ts'
import { base64, json, toml } from './quoting.ts'

/** `server` has no slash at its end and no `/v1`. */
export type Access = { server: string; key: string; model: string; siteName: string }

/** A file or command to paste, or fields of a form with the names that the client gives them. */
export type Snippet =
  | { kind: 'code'; title: string; text: string }
  | { kind: 'fields'; title: string; fields: readonly [label: string, value: string][] }

export type ClientId =
  | 'claude-code'
  | 'codex'
  | 'gemini-cli'
  | 'cursor'
  | 'cherry-studio'
  | 'open-webui'
  | 'openai-python'
  | 'openai-typescript'
  | 'anthropic-python'
  | 'anthropic-typescript'
  | 'curl'

export type Client = {
  id: ClientId
  name: string
  /** The document of the client that the settings follow. */
  docs: string
  /** The dialect that the client speaks, in which the test calls. */
  dialect: DialectId
  /** A text of `clients.notes` stands below the settings. */
  hasNote?: boolean
  snippets: (access: Access) => Snippet[]
  /** An address that opens the client with the settings. */
  link?: (access: Access) => string
}

const terminal = 'Terminal (bash, zsh)'
const exported = (variables: Record<string, string>) =>
  Object.entries(variables)
    .map(([name, value]) => `export ${name}=${quoteShell(value)}`)
    .join('\n')
const file = (title: string, text: string): Snippet => ({ kind: 'code', title, text })

const claudeVariables = ({ server, key, model }: Access) => ({
  ANTHROPIC_BASE_URL: server,
  ANTHROPIC_AUTH_TOKEN: key,
  ANTHROPIC_MODEL: model,
  ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
  // The line that it stops differs between conversations, and keeps prompts out of the caches of other vendors.
  CLAUDE_CODE_ATTRIBUTION_HEADER: '0',
})

const codexConfig = ({ server, model, siteName }: Access) => `model = ${toml(model)}
model_provider = "one-hub"

[model_providers.one-hub]
name = ${toml(siteName)}
base_url = ${toml(`${server}/v1`)}
env_key = "ONE_HUB_API_KEY"
wire_api = "responses"`

const tools: Client[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    docs: 'https://code.claude.com/docs/en/llm-gateway',
    dialect: 'anthropic',
    hasNote: true,
    snippets: access => [
      // A key of Anthropic that is set as well would be preferred.
      file(terminal, `unset ANTHROPIC_API_KEY\n${exported(claudeVariables(access))}\nclaude`),
      file('~/.claude/settings.json', json({ env: claudeVariables(access) })),
    ],
  },
  {
    id: 'codex',
    name: 'Codex',
    docs: 'https://developers.openai.com/codex/config-sample',
    dialect: 'openai-responses',
    snippets: access => [
      file('~/.codex/config.toml', codexConfig(access)),
      file(terminal, `${exported({ ONE_HUB_API_KEY: access.key })}\ncodex`),
    ],
  },
  {
    id: 'gemini-cli',
    name: 'Gemini CLI',
    docs: 'https://github.com/google-gemini/gemini-cli/blob/main/docs/reference/configuration.md',
    dialect: 'gemini',
    snippets: ({ server, key, model }) => [
      file(
        terminal,
        `${exported({
          GOOGLE_GEMINI_BASE_URL: server,
          GEMINI_API_KEY: key,
          GEMINI_MODEL: model,
        })}\ngemini`,
      ),
      file(
        '~/.gemini/settings.json',
        json({ security: { auth: { selectedType: 'gemini-api-key' } } }),
      ),
    ],
  },
  {
    id: 'cursor',
    name: 'Cursor',
    docs: 'https://cursor.com/docs/settings/api-keys',
    dialect: 'openai-chat',
    hasNote: true,
    snippets: ({ server, key, model }) => [
      {
        kind: 'fields',
        title: 'Cursor Settings → Models → API Keys',
        fields: [
          ['OpenAI API Key', key],
          ['Override OpenAI Base URL', `${server}/v1`],
          ['Add Custom Model', model],
        ],
      },
    ],
  },
  {
    id: 'cherry-studio',
    name: 'Cherry Studio',
    docs: 'https://docs.cherry-ai.com',
    dialect: 'openai-chat',
    hasNote: true,
    link: ({ server, key, siteName }) => {
      const data = { id: 'one-hub', baseUrl: server, apiKey: key, name: siteName, type: 'openai' }
      return `cherrystudio://providers/api-keys?v=1&data=${encodeURIComponent(base64(JSON.stringify(data)))}`
    },
    snippets: ({ server, key, model }) => [
      {
        kind: 'fields',
        title: 'Settings → Model Provider → Add → OpenAI',
        fields: [
          ['API Key', key],
          ['API Host', server],
          ['Model ID', model],
        ],
      },
    ],
  },
  {
    id: 'open-webui',
    name: 'Open WebUI',
    docs: 'https://docs.openwebui.com/getting-started/env-configuration',
    dialect: 'openai-chat',
    hasNote: true,
    snippets: ({ server, key, model }) => [
      file(
        terminal,
        [
          'docker run -d -p 3000:8080 -v open-webui:/app/backend/data \\',
          `  -e OPENAI_API_BASE_URL=${quoteShell(`${server}/v1`)} \\`,
          `  -e OPENAI_API_KEY=${quoteShell(key)} \\`,
          `  -e DEFAULT_MODELS=${quoteShell(model)} \\`,
          '  --name open-webui ghcr.io/open-webui/open-webui:main',
        ].join('\n'),
      ),
      {
        kind: 'fields',
        title: 'Admin Settings → Connections → OpenAI',
        fields: [
          ['URL', `${server}/v1`],
          ['API Key', key],
        ],
      },
    ],
  },
]

const openaiPython = ({ server, key, model }: Access) => `from openai import OpenAI

client = OpenAI(base_url=${json(`${server}/v1`)}, api_key=${json(key)})
answer = client.chat.completions.create(
    model=${json(model)},
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.choices[0].message.content)`

const openaiTypeScript = ({ server, key, model }: Access) => `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: ${json(`${server}/v1`)}, apiKey: ${json(key)} })
const answer = await client.chat.completions.create({
  model: ${json(model)},
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(answer.choices[0]?.message.content)`

const anthropicPython = ({ server, key, model }: Access) => `from anthropic import Anthropic

client = Anthropic(base_url=${json(server)}, api_key=${json(key)})
answer = client.messages.create(
    model=${json(model)},
    max_tokens=1024,
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.content)`

const anthropicTypeScript = ({
  server,
  key,
  model,
}: Access) => `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({ baseURL: ${json(server)}, apiKey: ${json(key)} })
const answer = await client.messages.create({
  model: ${json(model)},
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(answer.content)`

const libraries: Client[] = [
  {
    id: 'openai-python',
    name: 'OpenAI SDK (Python)',
    docs: 'https://github.com/openai/openai-python',
    dialect: 'openai-chat',
    snippets: access => [file('Python', openaiPython(access))],
  },
  {
    id: 'openai-typescript',
    name: 'OpenAI SDK (TypeScript)',
    docs: 'https://github.com/openai/openai-node',
    dialect: 'openai-chat',
    snippets: access => [file('TypeScript', openaiTypeScript(access))],
  },
  {
    id: 'anthropic-python',
    name: 'Anthropic SDK (Python)',
    docs: 'https://github.com/anthropics/anthropic-sdk-python',
    dialect: 'anthropic',
    snippets: access => [file('Python', anthropicPython(access))],
  },
  {
    id: 'anthropic-typescript',
    name: 'Anthropic SDK (TypeScript)',
    docs: 'https://github.com/anthropics/anthropic-sdk-typescript',
    dialect: 'anthropic',
    snippets: access => [file('TypeScript', anthropicTypeScript(access))],
  },
  {
    id: 'curl',
    name: 'curl',
    docs: 'https://curl.se/docs/manpage.html',
    dialect: 'openai-chat',
    snippets: ({ server, key, model }) => [file(terminal, makeCurlCommand(server, key, model))],
  },
]

export const clients: readonly Client[] = [...tools, ...libraries]

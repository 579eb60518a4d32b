import { execFileSync } from 'node:child_process'
import type { AvailableModel } from '@hub/contract'
import { expect, it } from 'vitest'
import { type Access, type ClientId, clients, type Snippet } from './clients.ts'
import { modelsOfToken } from './models.ts'

const plain: Access = {
  ...{ server: 'https://hub.example', key: 'sk-1', model: 'gpt-x', siteName: 'One Hub' },
}
/** Characters that end a string, start a substitution or a comment, or need more than one byte. */
const odd = `a'b"c$(id)\`id\`\\n #东\u007f`
const hostile: Access = {
  ...{ server: 'https://hub.example', key: `sk-${odd}`, model: `m/${odd}`, siteName: odd },
}

const snippetsOf = (id: ClientId, access: Access) =>
  clients.find(each => each.id === id)!.snippets(access)
const textOf = (snippet: Snippet | undefined) => (snippet?.kind === 'code' ? snippet.text : '')
const titled = (id: ClientId, access: Access, title: RegExp) =>
  textOf(snippetsOf(id, access).find(each => title.test(each.title)))

/** The arguments with which a shell calls a program, and its environment. */
const runShell = (script: string, program: string) => {
  const show = `${program}() { for each in "$@"; do printf 'arg %s\\0' "$each"; done; env -0; }\n`
  const output = execFileSync('sh', ['-c', show + script], { encoding: 'utf8', env: {} })
  return output.split('\0')
}

it.each(['claude-code', 'codex', 'gemini-cli'] as const)(
  'a shell gives %s exactly the key, whatever its characters',
  id => {
    const program = { 'claude-code': 'claude', codex: 'codex', 'gemini-cli': 'gemini' }[id]
    const variable = {
      'claude-code': 'ANTHROPIC_AUTH_TOKEN',
      codex: 'ONE_HUB_API_KEY',
      'gemini-cli': 'GEMINI_API_KEY',
    }[id]
    for (const access of [plain, hostile])
      expect(
        runShell(titled(id, access, /^Terminal/), program).includes(`${variable}=${access.key}`),
      ).toBe(true)
  },
)

it('a shell gives docker and curl exactly the key and the model', () => {
  const docker = runShell(titled('open-webui', hostile, /^Terminal/), 'docker')
  expect(docker).toContain(`arg OPENAI_API_KEY=${hostile.key}`)
  expect(docker).toContain(`arg DEFAULT_MODELS=${hostile.model}`)
  expect(docker).toContain('arg OPENAI_API_BASE_URL=https://hub.example/v1')
  const curl = runShell(titled('curl', hostile, /^Terminal/), 'curl')
  expect(curl).toContain(`arg Authorization: Bearer ${hostile.key}`)
  const body = curl.find(each => each.startsWith('arg {'))
  expect(JSON.parse(body!.slice(4))).toMatchObject({ model: hostile.model })
})

/** Reads tables of basic strings, which have no line breaks and, besides DEL, the escapes of JSON. */
const readToml = (text: string) => {
  const values: Record<string, string> = {}
  let table = ''
  for (const line of text.split('\n').filter(Boolean)) {
    const [, header] = /^\[([\w.-]+)\]$/.exec(line) ?? []
    if (header !== undefined) {
      table = `${header}.`
      continue
    }
    const [, key = '', string = ''] = /^(\w+) = ("(?:[^"\\\u007f]|\\.)*")$/.exec(line) ?? []
    values[table + key] = JSON.parse(string)
  }
  return values
}

it('the TOML of Codex has every value where Codex reads it', () => {
  for (const access of [plain, hostile])
    expect(readToml(titled('codex', access, /config\.toml$/))).toEqual({
      model: access.model,
      model_provider: 'one-hub',
      'model_providers.one-hub.name': access.siteName,
      'model_providers.one-hub.base_url': 'https://hub.example/v1',
      'model_providers.one-hub.env_key': 'ONE_HUB_API_KEY',
      'model_providers.one-hub.wire_api': 'responses',
    })
})

it('every file of settings in JSON parses', () => {
  const claude = JSON.parse(titled('claude-code', hostile, /settings\.json$/))
  expect(claude.env).toMatchObject({
    ANTHROPIC_BASE_URL: 'https://hub.example',
    ANTHROPIC_AUTH_TOKEN: hostile.key,
    ANTHROPIC_MODEL: hostile.model,
    CLAUDE_CODE_ATTRIBUTION_HEADER: '0',
  })
  expect(JSON.parse(titled('gemini-cli', hostile, /settings\.json$/))).toEqual({
    security: { auth: { selectedType: 'gemini-api-key' } },
  })
})

it.each([
  'openai-python',
  'openai-typescript',
  'anthropic-python',
  'anthropic-typescript',
] as const)('the strings of %s hold exactly the key and the model', id => {
  const text = textOf(snippetsOf(id, hostile)[0])
  const strings = [...text.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([each]) => JSON.parse(each))
  expect(strings).toEqual(expect.arrayContaining([hostile.key, hostile.model]))
  expect(strings).toContain(
    id.startsWith('openai') ? 'https://hub.example/v1' : 'https://hub.example',
  )
})

it('the link of Cherry Studio carries address, key and name', () => {
  const link = clients.find(each => each.id === 'cherry-studio')!.link!(hostile)
  const url = new URL(link)
  expect(`${url.protocol}//${url.host}${url.pathname}`).toBe('cherrystudio://providers/api-keys')
  const data = Buffer.from(url.searchParams.get('data')!, 'base64').toString()
  expect(JSON.parse(data)).toEqual({
    ...{ id: 'one-hub', type: 'openai', baseUrl: 'https://hub.example' },
    ...{ apiKey: hostile.key, name: hostile.siteName },
  })
})

it('every client names its document, and no name appears twice', () => {
  expect(new Set(clients.map(each => each.name)).size).toBe(clients.length)
  for (const { docs } of clients) expect(new URL(docs).protocol).toBe('https:')
})

it('a token may use the models of its groups, and of its own list where it has one', () => {
  const model = (...groups: string[]) => ({ groups }) as AvailableModel
  const models = { a: model('default'), b: model('vip'), c: model('spare', 'default') }
  const usable = (group: string, backup: string, listed?: string[]) =>
    modelsOfToken(
      {
        ...{ group, backup_group: backup },
        setting: {
          heartbeat: { enabled: false, timeout_seconds: 30 },
          limits: {
            limit_model_setting: { enabled: listed !== undefined, models: listed ?? [] },
            limits_ip_setting: { enabled: false, whitelist: [] },
          },
        },
      },
      'default',
      models,
    )
  expect(usable('', '')).toEqual(['a', 'c'])
  expect(usable('vip', '')).toEqual(['b'])
  expect(usable('vip', 'spare')).toEqual(['b', 'c'])
  expect(usable('', '', ['c', 'b', 'unknown'])).toEqual(['c'])
})

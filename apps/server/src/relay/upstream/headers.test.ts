import { hasName, isMissed, makeNameSet, notPassed, providers } from '@hub/providers'
import { describe, expect, it } from 'vitest'
import { canaryNames } from '../../../test/caller/canary-headers.ts'
import { clientHeaders } from '../../../test/caller/client-headers.ts'
import {
  makeHeaderPolicy,
  notPassedMax,
  passableHeaders,
  passedHeaders,
  setHeaders,
} from './headers.ts'

const providerOf = (id: string) => providers.find(each => each.id === id)!
const policyOf = (sent: string, headers?: string, id = 'openai') =>
  makeHeaderPolicy(
    { provider: providerOf(id), options: headers === undefined ? {} : { passing: { headers } } },
    sent,
  )
const pass = (names: readonly string[], policy = policyOf('openai-chat')) => {
  const missed: string[] = []
  const sent = passedHeaders(
    names.flatMap(each => [each, 'x']),
    policy,
    missed,
  )
  return { passed: sent.filter((_, index) => index % 2 === 0), notPassed: missed }
}

describe('headers of callers', () => {
  it('headers of callers pass in lower case and in their order where the list of the format has them', () => {
    const names = ['User-Agent', 'OpenAI-Beta', 'X-Stainless-Lang', 'session_id', 'X-Codex-Turn']
    expect(pass(names)).toEqual({ passed: names.map(each => each.toLowerCase()), notPassed: [] })
  })

  it.each([
    ['anthropic', ['anthropic-beta', 'x-app', 'x-claude-code-session-id']],
    ['gemini', ['x-goog-api-client', 'x-server-timeout', 'x-gemini-api-privileged-user-id']],
    ['openai-chat', ['originator', 'x-session-affinity', 'conversation_id']],
  ])('headers of %s do not pass in another format', (own, names) => {
    for (const sent of ['anthropic', 'gemini', 'openai-chat', 'openai', 'aws-events', 'jina']) {
      const isOwn = sent === own || (own === 'openai-chat' && sent === 'openai')
      const expected = isOwn ? { passed: names, notPassed: [] } : { passed: [], notPassed: names }
      expect([sent, pass(names, policyOf(sent))]).toEqual([sent, expected])
    }
  })

  it.each([
    ['azure', 'x-ms-client-request-id'],
    ['azure-v1', 'extra-parameters'],
    ['qwen', 'x-dashscope-datainspection'],
    ['xai', 'x-grok-conv-id'],
    ['bedrock', 'x-amzn-bedrock-guardrailidentifier'],
    ['openrouter', 'http-referer'],
    ['cohere', 'x-client-name'],
  ])('headers of %s pass to no other provider: %s', (id, name) => {
    const passing = providers.filter(
      each => pass([name], policyOf('openai-chat', undefined, each.id)).passed.length > 0,
    )
    const family = passing.map(each => each.id.replace(/-(v1|messages)$/, ''))
    expect(new Set(family)).toEqual(new Set([id.replace(/-v1$/, '')]))
  })

  it('a translated request carries four headers of the caller', () => {
    const four = ['user-agent', 'traceparent', 'tracestate', 'x-client-request-id']
    const more = ['openai-beta', 'x-codex-turn', 'anthropic-beta', 'x-vendor-beta']
    for (const listed of [undefined, '*', 'x-vendor-beta'])
      expect(pass([...four, ...more], policyOf('translated', listed))).toEqual({
        passed: four,
        notPassed: more,
      })
  })

  it('a channel passes headers by the names that it lists, by their beginnings, or all', () => {
    const names = ['X-Tenant', 'X-OpenWebUI-User-Email', 'X-Other']
    expect(pass(names, policyOf('openai-chat', 'X-Tenant')).passed).toEqual(['x-tenant'])
    expect(pass(names, policyOf('openai-chat', 'x-openwebui-*, x-tenant')).passed).toEqual([
      'x-tenant',
      'x-openwebui-user-email',
    ])
    expect(pass(names, policyOf('openai-chat', '*')).passed).toHaveLength(3)
  })

  it.each([
    ...['Authorization', 'X-Api-Key', 'x-goog-api-key', 'API-KEY', 'mj-api-secret', 'apikey'],
    ...['Cookie', 'Host', 'Connection', 'Transfer-Encoding', 'Content-Length', 'Content-Type'],
    ...['Expect', 'X-Forwarded-For', 'X-Forwarded-Host', 'Forwarded', 'Via', 'X-Real-IP'],
    ...['CF-Connecting-IP', 'Sec-Fetch-Site', 'Proxy-Authorization', 'Origin', 'Referer'],
    ...['OpenAI-Organization', 'OpenAI-Project', 'Idempotency-Key', 'Accept-Encoding'],
    ...['Remote-User', 'X-MS-CLIENT-PRINCIPAL', 'X-Auth-Request-Email', 'X-Amzn-Oidc-Data'],
  ])('S5 a header of this list never passes, whatever a channel lists: %s', name => {
    for (const listed of ['*', name, `${name.slice(0, 4)}*`])
      for (const id of ['openai', 'azure', 'bedrock'])
        expect(pass([name], policyOf('openai-chat', listed, id)).passed).toEqual([])
    expect(passableHeaders([name, 'x'])).toEqual([])
  })

  it('S5 headers of gateways and sign-in proxies pass to no provider in any format', () => {
    for (const { id } of providers)
      for (const sent of ['openai-chat', 'openai-responses', 'openai', 'anthropic', 'gemini'])
        expect([id, sent, pass(canaryNames, policyOf(sent, undefined, id)).passed]).toEqual([
          id,
          sent,
          [],
        ])
  })

  it('S42 headers that Connection names end here, also where a channel passes all', () => {
    for (const policy of [policyOf('openai-chat'), policyOf('openai-chat', '*')]) {
      const headers = ['Originator', '1', 'Connection', 'keep-alive, Originator', 'Version', '2']
      expect(passedHeaders(headers, policy, [])).toEqual(['version', '2'])
      expect(passableHeaders(headers)).toEqual(['version', '2'])
      const more = [...headers, 'connection', 'X-Codex-Turn', 'X-Codex-Turn', '3']
      expect(passedHeaders(more, policy, [])).toEqual(['version', '2'])
    }
  })

  it('headers that do not pass are named, unless HTTP, a browser or a proxy adds them', () => {
    const silent = ['Host', 'Accept', 'Accept-Language', 'Sec-Fetch-Mode', 'X-Forwarded-For', 'Via']
    expect(pass([...silent, 'X-Portkey-Config', 'X-Portkey-Config', 'OpenAI-Project'])).toEqual({
      passed: [],
      notPassed: ['x-portkey-config', 'openai-project'],
    })
  })

  it('headers that do not pass are named in a bounded number and length', () => {
    const names = Array.from({ length: 600 }, (_, index) => `x-${index}-${'y'.repeat(200)}`)
    const { notPassed: named } = pass(names)
    expect(named).toHaveLength(notPassedMax)
    expect(Math.max(...named.map(each => each.length))).toBe(64)
  })

  it('each header of a known client passes, or has its reason', () => {
    const reasons = makeNameSet(notPassed.map(each => each.name))
    const account = ['openai-organization', 'openai-project']
    for (const [client, { family, headers }] of Object.entries(clientHeaders)) {
      const { passed } = pass(headers, policyOf(family))
      const lost = headers.filter(each => !passed.includes(each) && isMissed(each))
      const unexplained = lost.filter(each => !hasName(reasons, each) && !account.includes(each))
      expect([client, unexplained]).toEqual([client, []])
      expect([client, passed.includes('user-agent')]).toEqual([client, true])
    }
  })
})

it('what is set later replaces what was there, whatever its spelling', () => {
  expect(setHeaders(['a', '1', 'b', '2'], { B: '3', c: '4' })).toEqual([
    'a',
    '1',
    'b',
    '3',
    'c',
    '4',
  ])
})

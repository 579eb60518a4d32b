type Client = {
  family: 'openai' | 'anthropic' | 'gemini'
  /** How its headers became known. */
  source: string
  /** Names in lower case, without the credential. */
  headers: readonly string[]
}

const http = ['host', 'connection', 'accept', 'accept-encoding', 'content-type', 'content-length']
const fetchHeaders = ['accept-language', 'sec-fetch-mode']
const stainless = [
  ...['x-stainless-lang', 'x-stainless-package-version', 'x-stainless-os', 'x-stainless-arch'],
  ...['x-stainless-runtime', 'x-stainless-runtime-version', 'x-stainless-retry-count'],
]
const recorded = 'recorded from the package on a loopback server, November 2026'

/** The headers that clients send by themselves, besides the credential. */
export const clientHeaders: Readonly<Record<string, Client>> = {
  'Claude Code 2.1.197': {
    family: 'anthropic',
    source: recorded,
    headers: [
      ...[...http, 'user-agent', ...stainless, 'x-stainless-timeout'],
      ...['anthropic-beta', 'anthropic-version', 'anthropic-dangerous-direct-browser-access'],
      ...['x-app', 'x-claude-code-session-id'],
      // https://code.claude.com/docs/en/llm-gateway-protocol
      ...['x-claude-code-agent-id', 'x-claude-code-parent-agent-id'],
    ],
  },
  'Codex 0.171.0': {
    family: 'openai',
    source: recorded,
    headers: [
      ...[...http, 'user-agent', 'originator', 'session-id', 'thread-id', 'x-client-request-id'],
      ...['x-codex-beta-features', 'x-codex-window-id', 'x-codex-turn-metadata'],
    ],
  },
  'Gemini CLI 0.61.0': {
    family: 'gemini',
    source: recorded,
    headers: [
      ...[...http, ...fetchHeaders, 'user-agent', 'x-goog-api-client'],
      'x-gemini-api-privileged-user-id',
    ],
  },
  'Cherry Studio': {
    family: 'openai',
    source: 'https://github.com/CherryHQ/cherry-studio, default headers of its providers',
    headers: [...http, ...fetchHeaders, 'user-agent', 'http-referer', 'x-title', ...stainless],
  },
  LobeChat: {
    family: 'openai',
    source: 'https://github.com/lobehub/lobe-chat, packages/model-runtime',
    headers: [
      ...[...http, ...fetchHeaders, 'user-agent', ...stainless],
      ...['http-referer', 'x-title', 'x-client'],
    ],
  },
  'OpenAI SDK for Python 3.57.0': {
    family: 'openai',
    source: recorded,
    headers: [
      ...[...http, 'user-agent', ...stainless, 'x-stainless-async', 'x-stainless-read-timeout'],
      ...['openai-organization', 'openai-project'],
    ],
  },
  'OpenAI SDK for Node 7.55.0': {
    family: 'openai',
    source: recorded,
    headers: [
      ...[...http, ...fetchHeaders, 'user-agent', ...stainless],
      ...['openai-organization', 'openai-project'],
    ],
  },
  'Anthropic SDK for Python 2.14.0': {
    family: 'anthropic',
    source: recorded,
    headers: [
      ...[...http, 'user-agent', ...stainless, 'x-stainless-timeout', 'x-stainless-read-timeout'],
      ...['x-stainless-async', 'anthropic-version', 'anthropic-beta'],
    ],
  },
  'Anthropic SDK for Node 1.11.0': {
    family: 'anthropic',
    source: recorded,
    headers: [
      ...[...http, ...fetchHeaders, 'user-agent', ...stainless, 'x-stainless-timeout'],
      'anthropic-version',
    ],
  },
  'Google GenAI SDK for Python 3.6.1': {
    family: 'gemini',
    source: recorded,
    headers: [...http, 'user-agent', 'x-goog-api-client', 'x-server-timeout'],
  },
  'Google GenAI SDK for Node 3.1.0': {
    family: 'gemini',
    source: recorded,
    headers: [...http, ...fetchHeaders, 'user-agent', 'x-goog-api-client', 'x-server-timeout'],
  },
}

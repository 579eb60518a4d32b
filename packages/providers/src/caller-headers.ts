/** A header of callers. Names are lower case; a `*` at the end stands for any ending. */
export type CallerHeader = {
  name: string
  /** The vendor's page, or the client that sends it. */
  source: string
}

/** The formats whose vendors read headers of their own. */
export type HeaderFamily = 'openai' | 'anthropic' | 'gemini'

const traceContext = 'https://www.w3.org/TR/trace-context/'
const openaiDocs = 'https://developers.openai.com/api/reference/overview'
const codex = 'Codex 0.171.0'
const claudeGateway = 'https://code.claude.com/docs/en/llm-gateway-protocol'

/** Passed to every vendor, also with a request in another format than the caller's. */
export const passedTranslated: readonly CallerHeader[] = [
  { name: 'user-agent', source: 'https://www.rfc-editor.org/rfc/rfc9110#section-10.1.5' },
  { name: 'traceparent', source: traceContext },
  { name: 'tracestate', source: traceContext },
  { name: 'x-client-request-id', source: openaiDocs },
]

/** Passed to every vendor with a request in the caller's own format. */
export const passedEverywhere: readonly CallerHeader[] = [
  ...passedTranslated,
  { name: 'x-stainless-*', source: 'SDKs of OpenAI and Anthropic' },
]

/** Passed with a request in the caller's own format, by that format. */
export const passedByFamily: Readonly<Record<HeaderFamily, readonly CallerHeader[]>> = {
  openai: [
    { name: 'openai-beta', source: openaiDocs },
    { name: 'originator', source: codex },
    { name: 'version', source: 'Codex before 0.100' },
    { name: 'session_id', source: 'Codex before 0.100' },
    { name: 'session-id', source: codex },
    { name: 'conversation_id', source: 'Codex before 0.100' },
    { name: 'x-session-*', source: 'OpenCode' },
    { name: 'x-codex-*', source: codex },
    { name: 'x-openai-subagent', source: codex },
  ],
  anthropic: [
    { name: 'anthropic-*', source: 'https://platform.claude.com/docs/en/api/overview' },
    { name: 'x-app', source: 'Claude Code 2.1.197' },
    { name: 'x-claude-code-*', source: claudeGateway },
  ],
  gemini: [
    { name: 'x-goog-api-client', source: 'https://cloud.google.com/apis/docs/system-parameters' },
    { name: 'x-goog-request-params', source: 'https://google.aip.dev/client-libraries/4222' },
    { name: 'x-goog-upload-*', source: 'https://ai.google.dev/gemini-api/docs/files' },
    { name: 'x-server-timeout', source: 'Google GenAI SDK 3.1.0' },
    { name: 'x-gemini-*', source: 'Gemini CLI 0.61.0' },
  ],
}

const azure: readonly CallerHeader[] = [
  { name: 'x-ms-*', source: 'https://learn.microsoft.com/azure/ai-foundry/openai/reference' },
  {
    name: 'extra-parameters',
    source: 'https://learn.microsoft.com/rest/api/aifoundry/modelinference/',
  },
]
const bedrockDocs =
  'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModel.html'
const bedrock: readonly CallerHeader[] = [
  { name: 'x-amzn-bedrock-guardrailidentifier', source: bedrockDocs },
  { name: 'x-amzn-bedrock-guardrailversion', source: bedrockDocs },
  { name: 'x-amzn-bedrock-trace', source: bedrockDocs },
]
const openrouterApps = 'https://openrouter.ai/docs/app-attribution'

/** Passed with a request in the caller's own format, by the provider's id. */
export const passedByProvider: Readonly<Record<string, readonly CallerHeader[]>> = {
  azure,
  'azure-v1': azure,
  bedrock,
  'bedrock-messages': bedrock,
  qwen: [
    {
      name: 'x-dashscope-*',
      source: 'https://help.aliyun.com/zh/model-studio/qwen-api-reference/',
    },
  ],
  xai: [{ name: 'x-grok-*', source: 'https://docs.x.ai/docs/advanced-api-usage/prompt-caching' }],
  openrouter: [
    { name: 'http-referer', source: openrouterApps },
    { name: 'x-title', source: openrouterApps },
    { name: 'x-openrouter-title', source: openrouterApps },
    { name: 'x-openrouter-categories', source: openrouterApps },
  ],
  cohere: [{ name: 'x-client-name', source: 'https://docs.cohere.com/reference/chat' }],
}

/** Why a header never leaves, whatever a channel passes. */
export const neverReasons = {
  account: 'names an account of the caller at the vendor; the channel has its own',
  credential: 'is a credential, or may hold one',
  connection: 'belongs to one connection or to the body',
  identity: 'says who somebody is, and a server that trusts it takes the caller for that person',
  address: 'is added by proxies and names addresses',
  browser: 'is added by browsers',
  gateway: 'is read by this gateway',
} as const
export type NeverReason = keyof typeof neverReasons

/** Headers of callers that never leave, whatever a channel passes. A `*` at the end stands for any ending. */
export const neverPassed: Readonly<Record<NeverReason, readonly string[]>> = {
  account: ['openai-organization', 'openai-project', 'chatgpt-account-id'],
  credential: [
    ...['authorization', 'proxy-*', 'cookie', 'cookie2', 'set-cookie', 'x-api-key'],
    ...['x-goog-api-key', 'api-key', 'apikey', 'x-apikey', 'x-auth-token', 'x-access-token'],
    ...['mj-api-secret', 'x-amz-security-token', 'x-goog-iam-*', 'x-csrf-token', 'x-xsrf-token'],
    // Keys of gateways: Helicone, Portkey, LiteLLM, Azure API Management.
    ...['helicone-auth', 'x-portkey-api-key', 'x-litellm-api-key', 'ocp-apim-subscription-key'],
    ...['x-openrouter-key', 'x-dashscope-apikey', 'x-lobe-chat-auth', 'x-authorization'],
    ...['x-vercel-oidc-token', 'x-serverless-authorization', 'authentication'],
  ],
  connection: [
    ...['host', 'connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
    ...['http2-settings', 'expect', 'content-length', 'content-encoding', 'content-type'],
    ...['accept-encoding', 'accept', 'range', 'if-match', 'if-none-match', 'if-modified-since'],
    ...['if-unmodified-since', 'if-range', 'max-forwards', 'date'],
  ],
  // Proxies that sign people in: oauth2-proxy, AWS, Google, Azure, Authelia, authentik, Pomerium, Vouch, Tailscale, nginx.
  identity: [
    ...['x-auth-request-*', 'x-amzn-oidc-*', 'x-amzn-mtls-*', 'x-goog-iap-*'],
    ...['x-goog-authenticated-user-*', 'x-ms-client-principal*', 'x-ms-token-*', 'cf-access-*'],
    ...['remote-*', 'x-remote-*', 'x-forwarded-user*', 'x-forwarded-email', 'x-forwarded-groups'],
    ...['x-forwarded-preferred-username', 'x-forwarded-access-token', 'x-authentik-*'],
    ...['x-pomerium-*', 'x-vouch-*', 'tailscale-*', 'x-webauth-*', 'x-authenticated-*'],
    ...['x-ssl-client-*', 'ssl-client-*', 'x-client-cert*', 'client-cert*', 'x-user-email'],
    ...['x-jwt-assertion', 'x-okta-*', 'x-teleport-*', 'x-consumer-*', 'x-credential-identifier'],
  ],
  address: [
    ...['forwarded', 'via', 'x-forwarded-*', 'x-real-ip', 'x-client-ip', 'x-cluster-client-ip'],
    ...['true-client-ip', 'x-original-*', 'x-rewrite-url', 'x-envoy-*', 'cf-*', 'cdn-loop'],
    ...['fastly-client-ip', 'fly-client-ip', 'x-http-method-override'],
  ],
  browser: ['origin', 'referer', 'sec-*', 'access-control-*'],
  gateway: ['idempotency-key', 'x-request-id', 'x-oneapi-request-id'],
}

/** Endings of names of credentials, whoever invented the header. */
export const credentialEnding =
  /(^|[-_])(api-?key|token|secret|password|authorization|auth|credentials?|cookie|jwt(-assertion)?)$/

/** Headers that browsers, proxies and HTTP libraries add to every request. Nobody misses them at a vendor. */
export const unremarkable: readonly string[] = [
  ...['accept-*', 'cache-control', 'pragma', 'priority', 'dnt', 'save-data', 'x-requested-with'],
  ...['upgrade-insecure-requests', 'x-amzn-trace-id', 'x-cloud-trace-context', 'x-request-start'],
  // Says how an SDK was built. A vendor of another format has no use for it.
  'x-stainless-*',
]

/** Headers that clients send by themselves, and why vendors do not get them. */
export const notPassed: readonly (CallerHeader & { reason: string })[] = [
  {
    name: 'thread-id',
    source: codex,
    reason: 'x-client-request-id has the same value, and is passed',
  },
  {
    name: 'http-referer',
    source: 'Cherry Studio, LobeChat',
    reason: 'only OpenRouter reads it, and gets it',
  },
  {
    name: 'x-title',
    source: 'Cherry Studio, LobeChat',
    reason: 'only OpenRouter reads it, and gets it',
  },
  {
    name: 'x-client',
    source: 'LobeChat',
    reason: 'names the program, as user-agent does, to gateways of its partner list',
  },
]

/**
 * Headers by which clients name a session. Claude Code: https://code.claude.com/docs/en/llm-gateway-protocol. Codex sends
 * `session_id` (codex-rs/codex-api/src/requests/headers.rs of openai/codex), earlier releases `conversation_id`. OpenCode
 * sends `X-Session-Id` and `x-session-affinity`, and `x-opencode-session` to its own gateway
 * (packages/opencode/src/session/llm/request.ts of sst/opencode). Gemini CLI names none; it sends the headers of
 * `GEMINI_CLI_CUSTOM_HEADERS` (packages/core/src/core/contentGenerator.ts of google-gemini/gemini-cli).
 */
export const sessionHeaders: readonly string[] = [
  'x-claude-code-session-id',
  'session_id',
  'session-id',
  'x-session-id',
  'conversation_id',
  'x-session-affinity',
  'x-opencode-session',
]

/** Midjourney clients send this as `Authorization` with every request, and the key in a header of its own. */
export const placeholderKey = /^(bearer )?midjourney-proxy$/i

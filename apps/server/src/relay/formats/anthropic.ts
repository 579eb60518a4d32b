import { anthropic } from '@hub/dialects'
import { countRoute, hasAnthropicVersion, listing, type RelayRoute, unknown } from './route.ts'

/** Addresses of Anthropic's API besides those of messages. */
export const anthropicRoutes: readonly RelayRoute[] = [
  ...['/v1', '', '/claude/v1', '/anthropic/v1'].map(prefix =>
    countRoute(`${prefix}/messages/count_tokens`, anthropic),
  ),
  ...listing('/v1/models', anthropic, hasAnthropicVersion),
  ...listing('/models', anthropic, hasAnthropicVersion),
  ...listing('/claude/v1/models', anthropic),
  ...listing('/anthropic/v1/models', anthropic),
  // Claude Code checks that the gateway is there: https://code.claude.com/docs/en/llm-gateway-protocol
  { method: 'GET', path: '/api/hello', operation: 'hello', dialect: anthropic },
  { method: 'GET', path: '/v1/messages', operation: 'unknown', dialect: anthropic },
  ...unknown('/v1/messages/*', anthropic),
  ...unknown('/claude/*', anthropic),
  ...unknown('/anthropic/*', anthropic),
  ...unknown('/v1/*', anthropic, hasAnthropicVersion),
]

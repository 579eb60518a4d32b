import { apiKey, bearer, defineProvider, speak } from '../define.ts'
import { drop } from '../quirks.ts'

// Address, max_completion_tokens, stream_options: https://docs.x.ai/docs/api-reference#chat-completions
// Every frame carries the usage so far: https://docs.x.ai/docs/guides/streaming-response
// Models: https://docs.x.ai/docs/models, without what https://docs.x.ai/docs/migration/may-15-retirement ended.
export default defineProvider({
  id: 'xai',
  name: 'xAI',
  type: 56,
  baseUrl: 'https://api.x.ai',
  credential: apiKey(),
  sign: bearer,
  serves: {
    chat: [
      speak('openai-chat', '/v1/chat/completions', {
        usageFlag: true,
        quirks: [
          // Reasoning models refuse these with 400: https://docs.x.ai/docs/guides/reasoning
          drop(
            ['stop', 'presence_penalty', 'frequency_penalty'],
            /^grok-(3-mini|build|latest|[4-9])(?!.*non-reasoning)/,
          ),
          // grok-4.3 and later take it.
          drop(['reasoning_effort'], /^grok-(3(?!-mini)|4(?!\.)|4\.20(?!.*multi-agent))/),
        ],
      }),
      // The vendor has deprecated its Anthropic endpoint: https://docs.x.ai/docs/api-reference
      // Answers are kept for 30 days: https://docs.x.ai/docs/guides/chat
      speak('openai-responses', '/v1/responses', { keeps: ['answers'] }),
    ],
  },
  links: {
    site: 'https://x.ai',
    keys: 'https://console.x.ai',
    docs: 'https://docs.x.ai/docs/api-reference',
  },
  presets: ['grok-4.7', 'grok-4.6', 'grok-4.5', 'grok-4.3'],
  testModel: 'grok-4.3',
  models: '/v1/models',
  means: [
    // A wrong key comes under status 400, as the caller's own mistakes do.
    { match: /^incorrect api key/i, fault: 'upstream.credential', channel: 'disable' },
  ],
})

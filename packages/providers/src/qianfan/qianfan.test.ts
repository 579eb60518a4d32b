import { openaiChat } from '@hub/dialects'
import { expect, it } from 'vitest'
import { conform } from '../conform.ts'
import { topEdits } from '../quirks.ts'
import provider from './index.ts'

conform(provider, import.meta.url)

it.each([
  ['ERNIE-4.0-8K', 'ernie-4.0-8k'],
  ['ERNIE-Bot-4', 'ernie-4.0-8k'],
  ['ERNIE-Speed', 'ernie-speed-8k'],
  ['ernie-5.1', 'ernie-5.1'],
  ['DeepSeek-V3', undefined],
])('sends the model %s of One Hub as %s', (model, name) => {
  const result = openaiChat.read(Buffer.from(JSON.stringify({ model, messages: [] })))
  if (!result.ok) throw new Error(result.hint)
  const { quirks } = provider.serves.chat![0]!
  expect(topEdits(quirks, result.parsed, model, {}).model).toBe(name)
})

it('refuses the key pair of the first API', () => {
  expect(provider.credential.safeParse('bce-v3/ALTAK-example/0123').success).toBe(true)
  expect(provider.credential.safeParse('api-key|secret-key').success).toBe(false)
})

import type { QuestionKind } from './questions.ts'
import type { CallerDialect } from './writers.ts'

/** Questions that the vendor's documents forbid so that nothing equal exists. */
type Forbidden = 'forced tools' | 'thinking off' | 'prefill'

/** Models with equal rules, by one of them and the type of its provider. */
export type ModelClass = { type: number; model: string; forbids: readonly Forbidden[] }

const models = (type: number, forbids: readonly Forbidden[], ...names: string[]): ModelClass[] =>
  names.map(model => ({ type, model, forbids }))

export const classes: readonly ModelClass[] = [
  ...models(1, ['thinking off'], 'o3', 'o4-mini', 'gpt-5', 'gpt-5-pro'),
  ...models(1, [], 'gpt-4o', 'gpt-5.1', 'gpt-5.4', 'gpt-5.5', 'gpt-6-sol'),
  ...models(1, ['thinking off'], 'gpt-6.1-sol', 'gpt-6.2-sol', 'gpt-6-astra'),
  ...models(14, [], 'claude-haiku-4-5', 'claude-sonnet-4-5'),
  ...models(14, ['prefill'], 'claude-opus-4-6', 'claude-sonnet-4-6', 'claude-opus-5'),
  ...models(14, ['prefill', 'forced tools'], 'claude-sonnet-5-5'),
  ...models(14, ['prefill', 'thinking off'], 'claude-fable-5'),
  ...models(14, ['prefill', 'forced tools', 'thinking off'], 'claude-opus-5-5'),
  ...models(
    14,
    ['prefill', 'forced tools', 'thinking off'],
    'claude-fable-5-1',
    'claude-mythos-5-1',
  ),
  ...models(32, ['prefill'], 'us.anthropic.claude-sonnet-4-6'),
  ...models(32, [], 'us.amazon.nova-pro-v1:0'),
  ...models(25, ['thinking off'], 'gemini-2.5-pro', 'gemini-3-pro', 'gemini-3.1-pro'),
  ...models(25, [], 'gemini-2.5-flash', 'gemini-2.5-flash-lite', 'gemini-3.5-flash'),
  ...models(28, [], 'deepseek-v4-pro'),
  ...models(29, [], 'kimi-k2.6'),
  ...models(29, ['forced tools', 'thinking off'], 'kimi-k3', 'kimi-k2.7-code'),
  ...models(30, [], 'mistral-large-latest'),
  ...models(17, [], 'qwen3.6-plus', 'qwen-plus'),
  ...models(17, ['forced tools', 'thinking off'], 'qwq-plus'),
  ...models(16, ['forced tools'], 'glm-5.2'),
  ...models(56, [], 'grok-4.3'),
  ...models(56, ['thinking off'], 'grok-4.5'),
]

const forcing: readonly QuestionKind[] = [
  'a forced tool',
  'a named tool',
  'a forced tool with thinking off',
]

/** How each caller says effort `none`. Gemini's callers say a budget of 0, which is met by the least thinking. */
const saysNone: Readonly<Record<CallerDialect, readonly QuestionKind[]>> = {
  'openai-chat': ['effort none'],
  'openai-responses': ['effort none', 'thinking off', 'a forced tool with thinking off'],
  anthropic: ['effort none'],
  gemini: [],
}

/** True where the gateway must refuse the question of a caller in another dialect than the vendor's. */
export const isRefused = (
  kind: QuestionKind,
  caller: CallerDialect,
  { forbids }: ModelClass,
): boolean =>
  (forbids.includes('forced tools') && forcing.includes(kind)) ||
  (forbids.includes('thinking off') && saysNone[caller].includes(kind)) ||
  (forbids.includes('prefill') && kind === 'words of the model at the end')

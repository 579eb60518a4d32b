import { expect, it } from 'vitest'
import { operationOfModel } from './model-operation.ts'

it.each([
  'text-embedding-3-small',
  'gemini-embedding-001',
  'mistral-embed',
  'Baichuan-Text-Embedding',
  '@cf/baai/bge-large-en-v1.5',
  'BAAI/bge-m3',
  'thenlper/gte-large',
  'databricks-gte-large-en',
  'intfloat/e5-mistral-7b-instruct',
  'jina-clip-v2',
])('%s makes vectors', model => expect(operationOfModel(model)).toBe('embeddings'))

it.each(['gpt-5.4-mini', 'claude-haiku-4-5', 'BAAI/bge-reranker-v2-m3', 'gemma4:31b', 'glm-5.3'])(
  '%s does not',
  model => expect(operationOfModel(model)).toBe('chat'),
)

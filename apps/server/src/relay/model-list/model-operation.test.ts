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

it.each([
  ['gpt-5.4-mini', 'chat'],
  ['claude-haiku-4-5', 'chat'],
  ['gemma4:31b', 'chat'],
  ['glm-5.3', 'chat'],
  ['gemini-2.5-flash-image', 'chat'],
  ['BAAI/bge-reranker-v2-m3', 'rerank'],
  ['jina-reranker-m0', 'rerank'],
  ['rerank-v3.5', 'rerank'],
  ['omni-moderation-latest', 'moderations'],
  ['tts-1-hd', 'speech'],
  ['gpt-4o-mini-tts', 'speech'],
  ['FunAudioLLM/CosyVoice2-0.5B', 'speech'],
  ['dall-e-3', 'images'],
  ['gpt-image-1-mini', 'images'],
  ['cogview-4', 'images'],
  ['Kwai-Kolors/Kolors', 'images'],
  ['whisper-1', 'transcriptions'],
  ['gpt-4o-transcribe', 'transcriptions'],
  ['gpt-3.5-turbo-instruct', 'completions'],
])('%s is for %s', (model, operation) => expect(operationOfModel(model)).toBe(operation))

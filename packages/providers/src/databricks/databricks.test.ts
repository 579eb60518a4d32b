import { expect, it } from 'vitest'
import { conform } from '../conform.ts'
import provider from './index.ts'

conform(provider, import.meta.url)

it('only chat and embedding endpoints are listed', () => {
  const endpoints = [
    { name: 'databricks-claude-haiku-5-5', task: 'llm/v1/chat' },
    { name: 'databricks-gte-large-en', task: 'llm/v1/embeddings' },
  ]
  expect(provider.readModelIds?.({ endpoints })).toEqual([
    'databricks-claude-haiku-5-5',
    'databricks-gte-large-en',
  ])
})

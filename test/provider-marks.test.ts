import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { providers } from '@hub/providers'
import { expect, it } from 'vitest'
import {
  markNames,
  markOfModel,
  markOfProvider,
} from '../apps/console/src/domain/marks/register.ts'
import { builtInOwners, builtInPrices } from '../apps/server/src/billing/prices/built-in.ts'
import { root } from './harness/paths.ts'

/** Types and owners that show initials, each with its reason. */
const withoutMark: Record<number, string> = {
  8: 'An operator gives the address, so the vendor is unknown.',
  48: 'Rerank is a kind of model and not a vendor.',
  67: 'A gateway sells the models of many vendors.',
}

const folder = join(root, 'apps/console/public/marks')

it('every channel type and every built-in owner has a mark, or a reason for its initials', () => {
  const types = new Set([
    ...providers.map(each => each.type),
    ...builtInOwners().map(each => each.id),
  ])
  const unmarked = [...types]
    .filter(type => markOfProvider(type) === undefined)
    .toSorted((a, b) => a - b)
  expect(unmarked.map(String)).toEqual(Object.keys(withoutMark))
})

it('every mark has a file, every file is used, and none can load or run anything', () => {
  const files = readdirSync(folder).filter(each => each.endsWith('.svg'))
  expect(files.toSorted()).toEqual(markNames.map(each => `${each}.svg`).toSorted())
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8')
    expect([file, text.length < 8_000]).toEqual([file, true])
    expect([file, text]).toEqual([file, expect.stringContaining('viewBox="0 0 24 24"')])
    expect([file, text]).toEqual([
      file,
      expect.not.stringMatching(/<script|href|style=|\son\w+=|@import/),
    ])
    // An image does not know the colour of the text around it.
    if (file.endsWith('-color.svg'))
      expect([file, text]).toEqual([file, expect.not.stringContaining('currentColor')])
  }
})

it('models with a built-in price have the mark of their maker, unless their name does not tell it', () => {
  const unmarked = builtInPrices().filter(({ model }) => markOfModel(model) === undefined)
  expect(unmarked.map(each => each.model)).toEqual([
    '@cf/deepgram/aura-1',
    'Embedding-V1',
    'BLOOMZ-7B',
    'embedding-2',
    'embedding-bert-512-v1',
    'embedding_s1_v1',
    'semantic_similarity_s1_v1',
    '@cf/lykon/dreamshaper-8-lcm',
    '4.0Ultra',
    'generalv3.5',
    'max-32k',
    'generalv3',
    'pro-128k',
    'lite',
  ])
})

it.each([
  ['gpt-4.1', 'openai'],
  ['o3-mini', 'openai'],
  ['text-embedding-v4', 'qwen-color'],
  ['text-embedding-3-small', 'openai'],
  ['us.anthropic.claude-sonnet-4-5', 'claude-color'],
  ['Qwen/Qwen3-8B', 'qwen-color'],
  ['@cf/meta/llama-3.3-70b-instruct-fp8-fast', 'meta-color'],
  ['black-forest-labs/flux-2-pro', 'bfl'],
  ['gpt-*', 'openai'],
  ['smart', undefined],
])('the mark of %s is %s', (model, mark) => {
  expect(markOfModel(model)).toBe(mark)
})

import { expect, it } from 'vitest'
import { compareModels } from './compare.ts'

type Case = [
  title: string,
  channel: { models: string; mapping?: Record<string, string>; ignored?: string },
  offered: string[],
  expected: { added?: string[]; removed?: string[] },
]

const cases: Case[] = [
  ['equal lists change nothing', { models: 'a,b' }, ['b', 'a'], {}],
  ['a new name is added', { models: 'a' }, ['a', 'c'], { added: ['c'] }],
  ['a missing name is removed', { models: 'a,b' }, ['a'], { removed: ['b'] }],
  [
    'a mapped model stays while its target is offered',
    { models: 'a', mapping: { a: 'x' } },
    ['x'],
    {},
  ],
  [
    'a mapped model that is billed as requested stays while its target is offered',
    { models: 'a', mapping: { a: '+x' } },
    ['x'],
    {},
  ],
  [
    'a mapped model is removed with its target, though its own name is offered',
    { models: 'a', mapping: { a: 'x' } },
    ['a'],
    { removed: ['a'] },
  ],
  [
    'the target of a model that the channel does not serve is new',
    { models: 'b', mapping: { a: 'x' } },
    ['b', 'x'],
    { added: ['x'] },
  ],
  [
    'a name that a mapping sends to another model is not added',
    { models: 'b', mapping: { a: 'b' } },
    ['a', 'b'],
    {},
  ],
  [
    'a name that is mapped to itself is added',
    { models: 'b', mapping: { a: 'a' } },
    ['a', 'b'],
    { added: ['a'] },
  ],
  [
    'a pattern covers names and never vanishes',
    { models: 'gpt-*,q-*' },
    ['gpt-4o', 'z'],
    { added: ['z'] },
  ],
  [
    'an ignored name is neither added nor removed',
    { models: 'a,b', ignored: 'b,c' },
    ['a', 'c'],
    {},
  ],
  [
    'an ignored pattern covers names',
    { models: 'a,old-1', ignored: 'old-*,new-*' },
    ['a', 'new-1', 'newer'],
    { added: ['newer'] },
  ],
  [
    'a name that no list of a channel can contain is not added',
    { models: 'a' },
    ['a', 'b,c', 'd*', '*', ' e', 'f\u0000', 'g'.repeat(201), ''],
    {},
  ],
]

it.each(cases)('%s', (_, { models, mapping = {}, ignored = '' }, offered, expected) => {
  const channel = {
    models: models.split(','),
    mapping: new Map(Object.entries(mapping)),
    ignored: ignored.split(',').filter(Boolean),
  }
  expect(compareModels(channel, offered)).toEqual({ added: [], removed: [], ...expected })
})

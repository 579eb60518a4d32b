import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Conformance, ConformanceRun, ProviderProof } from '@hub/contract'
import { callOperationIds, taskOperations } from '@hub/contract/call-operations'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { languages } from '../../locales/language.ts'
import { data, refusal, serve, show } from '../../test/setup.tsx'
import { linkOf, outcomesOf, pairsOf, slugOf, stateOf } from './grid.ts'
import { ConformancePage } from './page.tsx'

const why = 'Messages has no `seed`.'
const source = 'https://platform.claude.com/docs/en/api/messages/create'
const grid: Conformance = {
  at: '2026-11-21T22:15:23.192Z',
  versions: { openai: '7.55.0', ai: '7.0.173' },
  callers: [
    { id: 'openai-chat', client: 'openai', dialect: 'openai-chat' },
    { id: 'anthropic', client: '@anthropic-ai/sdk', dialect: 'anthropic' },
    { id: 'ai-openai-chat', client: 'ai, @ai-sdk/openai', dialect: 'openai-chat' },
  ],
  upstreams: [{ dialect: 'openai-chat' }, { dialect: 'anthropic' }],
  features: [
    {
      ...{ name: 'text', title: 'Text', group: 'Words and media' },
      cells: {
        'openai-chat>openai-chat': { state: 'ok' },
        'openai-chat>anthropic': {
          state: 'ok',
          why: 'Sent in another field.',
          source: 'packages/a.md',
        },
        'anthropic>openai-chat': { state: 'ok' },
        'anthropic>anthropic': { state: 'ok' },
        'ai-openai-chat>openai-chat': { state: 'ok' },
      },
    },
    {
      ...{ name: 'seed', title: 'Seed', group: 'Sampling and who asks' },
      cells: {
        'openai-chat>openai-chat': { state: 'ok' },
        'openai-chat>anthropic': { state: 'note', why, source },
        'anthropic>openai-chat': { state: 'ok' },
        'anthropic>anthropic': { state: 'note', why, source },
      },
    },
    {
      ...{ name: 'quite-new', title: 'Something quite new', group: 'A new group' },
      cells: { 'openai-chat>anthropic': { state: 'refused', why: 'No way.', source } },
    },
  ],
  counts: { ok: 6, note: 2, refused: 1 },
  providers: [
    {
      ...{ type: 47, name: 'Jina', notice: '' },
      operations: [
        { operation: 'rerank', formats: ['jina'], sources: ['https://api.jina.ai/redoc'] },
        { operation: 'embeddings', formats: ['openai-chat'], sources: [] },
      ],
    },
    { type: 11, name: 'PaLM', notice: 'Shut.', operations: [] },
  ],
}

const screenIs = (isWide: boolean) =>
  vi.stubGlobal('matchMedia', () => ({
    matches: isWide,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
  }))

const open = async (isWide: boolean, address = '/', answer = data(grid)) => {
  screenIs(isWide)
  const requests = serve(() => answer)
  const router = await show(<ConformancePage />, address)
  return { requests, router }
}

it('a wide screen shows every caller and upstream with a text for the state of each cell', async () => {
  const { requests } = await open(true)
  const table = await screen.findByRole('table', { name: 'Compatibility' })
  expect(requests.map(each => each.path)).toContain('/api/conformance')
  const row = within(table).getByRole('row', { name: /^Text Supported/ })
  const cells = within(row).getAllByRole('cell')
  expect(cells.map(each => each.textContent)).toEqual([
    'Supported',
    'Converted',
    'Supported',
    'Supported',
  ])
  const newFeature = within(table).getByRole('row', { name: /Something quite new/ })
  expect(within(newFeature).getAllByRole('cell')[0]?.textContent).toBe('Not tested')
  expect(within(table).getByRole('rowheader', { name: 'A new group' })).toBeTruthy()
})

it('a click on the count of a result filters the rows', async () => {
  const { router } = await open(true)
  const noted = await screen.findByRole('button', { name: /^Partially supported\s*2/ })
  expect(screen.getByRole('button', { name: /^Supported\s*5/ })).toBeTruthy()
  fireEvent.click(noted)
  expect(router.state.location.search).toBe('?state=note')
  expect(
    screen.getByRole('button', { name: /^Partially supported/ }).getAttribute('aria-pressed'),
  ).toBe('true')
  expect(screen.getByText('Features: 1')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Text' })).toBeNull()
})

it('the details of a feature show the reason, its documentation and the formats', async () => {
  const { router } = await open(true)
  fireEvent.click(await screen.findByRole('button', { name: 'Seed' }))
  expect(router.state.location.search).toBe('?open=seed')
  const dialog = await screen.findByRole('dialog', { name: 'Seed' })
  expect(within(dialog).getByText('seed', { selector: 'code' })).toBeTruthy()
  const link = within(dialog).getByRole('link', { name: /platform\.claude\.com/ })
  expect(link.getAttribute('href')).toBe(source)
  expect(link.getAttribute('rel')).toContain('noopener')
  expect(within(dialog).getByText('OpenAI Chat → Anthropic')).toBeTruthy()
})

it('a click on a cell opens the details at that cell', async () => {
  const { router } = await open(true)
  const row = await screen.findByRole('row', { name: /Seed/ })
  fireEvent.click(within(row).getAllByRole('cell')[1] as HTMLElement)
  expect(new URLSearchParams(router.state.location.search).get('cell')).toBe(
    'openai-chat>anthropic',
  )
  expect(await screen.findByText('From OpenAI Chat to Anthropic')).toBeTruthy()
  expect(screen.getByText('Tested with openai')).toBeTruthy()
})

it('a narrow screen shows one caller and one upstream', async () => {
  await open(false, '/?caller=anthropic&upstream=anthropic')
  expect(await screen.findByRole('button', { name: /Seed\s*Partially supported/ })).toBeTruthy()
  expect(screen.getByRole('combobox', { name: 'Caller' }).textContent).toBe('Anthropic')
  // Only the matrix is a table.
  expect(screen.getAllByRole('table')).toHaveLength(1)
  expect(screen.queryByText('Something quite new')).toBeNull()
})

it('other clients have their own grid with the features that they support', async () => {
  await open(true, '/?clients=second')
  expect(await screen.findByText('ai, @ai-sdk/openai')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Text' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Seed' })).toBeNull()
})

it('a search without matches shows an empty state', async () => {
  await open(true, '/?keyword=nothing-like-it')
  expect(await screen.findByText('No results')).toBeTruthy()
  expect(screen.getByText('Features: 0')).toBeTruthy()
})

it('the search is debounced and matches feature names and groups', async () => {
  const { router } = await open(true)
  const box = await screen.findByRole('searchbox', { name: 'Search features' })
  for (const value of ['samp', 'sampl']) fireEvent.change(box, { target: { value } })
  expect(await screen.findByText('Features: 1')).toBeTruthy()
  expect(router.state.location.search).toBe('?keyword=sampl')
  expect(screen.getByRole('button', { name: 'Seed' })).toBeTruthy()
})

it('opening a feature right after typing keeps the keyword', async () => {
  const { router } = await open(true)
  const box = await screen.findByRole('searchbox', { name: 'Search features' })
  fireEvent.change(box, { target: { value: 'seed' } })
  act(() => {
    fireEvent.keyDown(box, { key: 'Enter' })
    fireEvent.click(screen.getByRole('button', { name: 'Seed' }))
  })
  expect(await screen.findByRole('dialog', { name: 'Seed' })).toBeTruthy()
  expect(router.state.location.search).toBe('?keyword=seed&open=seed')
})

it('without a test run the page explains how to create one', async () => {
  const nothing = { ...grid, callers: [], upstreams: [], features: [] }
  await open(true, '/', data(nothing))
  expect(await screen.findByText('No test results yet')).toBeTruthy()
})

it('an error is shown with a retry button', async () => {
  await open(true, '/', refusal(403, 'session.forbidden', 'No.'))
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy()
})

it('the providers are listed with a link to the document that proves an operation', async () => {
  const { router } = await open(true)
  fireEvent.click(await screen.findByRole('tab', { name: 'Providers' }))
  expect(router.state.location.search).toBe('?tab=providers')
  const link = screen.getByRole('link', { name: 'Rerank: proven' })
  expect(link.getAttribute('href')).toBe('https://api.jina.ai/redoc')
  expect(screen.getByLabelText(/^Embeddings: unproven/).tagName).not.toBe('A')
  expect(screen.queryByText('PaLM')).toBeNull()
})

it('equal outcomes are grouped, the most severe first', () => {
  const seed = grid.features.find(({ name }) => name === 'seed')
  const pairs = pairsOf(grid.callers.slice(0, 2), ['openai-chat', 'anthropic'])
  const outcomes = seed ? outcomesOf(seed, pairs) : []
  expect(
    outcomes.map(({ state, between }) => [state, between.map(each => each.upstreams)]),
  ).toEqual([
    ['note', [['anthropic'], ['anthropic']]],
    ['ok', [['openai-chat'], ['openai-chat']]],
  ])
  expect(stateOf({ state: 'ok', why: 'Sent in another field.' })).toBe('converted')
})

it('only https sources are links', () => {
  expect(linkOf(source)?.host).toBe('platform.claude.com')
  expect(linkOf('packages/dialects/README.md')).toBeUndefined()
  expect(linkOf('javascript:alert(1)')).toBeUndefined()
})

it.each(languages)(
  '%s has a name for every feature and group of the run, and for every operation',
  language => {
    const root = join(import.meta.dirname, '../../../../..')
    const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
    const run: ConformanceRun = read('apps/server/src/features/conformance/grid.json')
    const texts = read(`apps/console/src/locales/${language}/conformance.json`)
    expect(run.features.map(({ name }) => name).filter(name => !texts.features[name])).toEqual([])
    const groups = new Set(run.features.map(({ group }) => slugOf(group)))
    expect([...groups].filter(slug => !texts.groups[slug])).toEqual([])
    const providers: ProviderProof[] = read('apps/server/src/features/conformance/providers.json')
    const operations = [
      ...callOperationIds,
      ...Object.keys(taskOperations),
      ...providers.flatMap(each => each.operations.map(({ operation }) => operation)),
    ]
    expect(operations.filter(each => !texts.operations[each])).toEqual([])
  },
)

it('the matrix counts the features of each pair of formats, and a cell shows only its pair', async () => {
  await open(true)
  const cell = (name: string) => screen.findByRole('button', { name })
  const own = await cell('OpenAI Chat → Anthropic: 1 / 3 features')
  expect(await cell('Anthropic → OpenAI Chat: 2 / 2 features')).toBeTruthy()
  const columns = () =>
    screen.getAllByRole('table')[1]!.querySelectorAll('tbody tr:nth-child(2) td')
  const all = columns().length
  fireEvent.click(own)
  expect(own.getAttribute('aria-pressed')).toBe('true')
  expect(columns().length).toBeLessThan(all)
  fireEvent.click(own)
  expect(columns()).toHaveLength(all)
})

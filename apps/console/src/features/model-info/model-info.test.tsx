// @vitest-environment happy-dom
import type { ModelInfo } from '@hub/contract'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { queryClient } from '../../api/session.ts'
import { sessionQuery } from '../../api/site.ts'
import { data, type Request, refusal, serve, show } from '../../test/setup.tsx'
import { ModelInfoPage } from './page.tsx'

const self = { id: 1, username: 'root', role: 100, group: 'default', quota: 0, used_quota: 0 }
const info = (id: number, model: string, more: Partial<ModelInfo> = {}): ModelInfo => ({
  ...{ id, model, name: model.toUpperCase(), description: '', created_at: 1, updated_at: 1 },
  ...{ context_length: 128_000, max_tokens: 0 },
  ...{ input_modalities: '["text","image"]', output_modalities: '["text"]' },
  ...{ tags: '["Hot"]', support_url: '["https://vendor.example/a,b"]' },
  ...more,
})
const path = '/api/model_info/'

const respond =
  (rows: readonly ModelInfo[], other: (request: Request) => ReturnType<typeof data> | undefined) =>
  (request: Request) => {
    const response = other(request)
    if (response) return response
    if (request.path === path && request.method === 'GET') return data(rows)
    if (request.path === '/api/prices/model_list') return data(['gpt-4o', 'o3'])
    if (request.path === '/api/prices/updateService') return data('https://vendor.example/list')
    return data({})
  }
const open = async (...server: Parameters<typeof respond>) => {
  const requests = serve(respond(...server))
  queryClient.setQueryData(sessionQuery.queryKey, self as never)
  await show(<ModelInfoPage />)
  return (method: string, at = path) =>
    requests.filter(each => each.method === method && each.path === at).map(each => each.body)
}

it('the list is searched in names, types as they are shown, and tags, and in nothing else', async () => {
  await open(
    [
      info(1, 'gpt-4o', { description: 'music of the spheres' }),
      info(2, 'suno', { output_modalities: '["music"]', tags: '["Song"]' }),
    ],
    () => undefined,
  )
  expect(await screen.findByText('gpt-4o')).toBeTruthy()
  expect(screen.getAllByText('128,000')).toHaveLength(2)
  for (const [keyword, found] of [
    ['Music', 'suno'],
    ['song', 'suno'],
    ['GPT-4', 'gpt-4o'],
  ] as const) {
    const search = screen.getByRole('searchbox')
    await userEvent.clear(search)
    await userEvent.type(search, keyword)
    const other = found === 'suno' ? 'gpt-4o' : 'suno'
    await waitFor(() => expect(screen.queryByText(other)).toBeNull())
    expect(screen.getByText(found)).toBeTruthy()
  }
})

it('a chosen model names the entry, lists are sent as texts, and a refusal stands at its field', async () => {
  const bodies = await open([info(1, 'gpt-4o')], ({ method }) =>
    method === 'POST'
      ? refusal(409, 'resource.exists', '`model`: this model is described already.')
      : undefined,
  )
  await userEvent.click(
    (await screen.findAllByRole('button', { name: 'Create model information' }))[0]!,
  )
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('combobox', { name: /^Model/ }))
  expect((await screen.findAllByRole('option')).map(each => each.textContent)).toEqual(['o3'])
  await userEvent.click(screen.getByRole('option', { name: 'o3' }))
  expect(dialog.getByRole<HTMLInputElement>('textbox', { name: /^Name/ }).value).toBe('o3')
  await userEvent.type(dialog.getByRole('combobox', { name: 'Tags' }), 'Code{Enter}')
  await userEvent.click(dialog.getByRole('textbox', { name: 'Links' }))
  await userEvent.paste('https://vendor.example/a,b\n')
  await userEvent.click(dialog.getByRole('button', { name: 'Create model information' }))
  expect(await dialog.findByText('This model is described already')).toBeTruthy()
  expect(bodies('POST')).toEqual([
    {
      ...{ model: 'o3', name: 'o3', description: '', context_length: 128_000, max_tokens: 4096 },
      ...{ input_modalities: '["text"]', output_modalities: '["text"]', tags: '["Code"]' },
      support_url: '["https://vendor.example/a,b"]',
    },
  ])
})

it('an edited entry keeps what was not touched', async () => {
  const bodies = await open([info(3, 'gpt-4o')], () => undefined)
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for GPT-4O' }))
  await userEvent.click(screen.getByRole('menuitem', { name: 'Edit' }))
  const dialog = within(await screen.findByRole('dialog'))
  const name = dialog.getByRole('textbox', { name: /^Name/ })
  await userEvent.clear(name)
  await userEvent.type(name, 'Omni')
  await userEvent.click(dialog.getByRole('button', { name: 'Save model information' }))
  await waitFor(() => expect(bodies('PUT')).toHaveLength(1))
  const { created_at, updated_at, ...row } = info(3, 'gpt-4o', { name: 'Omni' })
  expect(bodies('PUT')).toEqual([row])
})

it('an import previews the list, keeps or replaces what is stored, and names what failed', async () => {
  const rows = [info(9, 'stored')]
  const { id, created_at, updated_at, ...entry } = info(0, 'stored', { name: 'From the list' })
  const infos = [entry, { ...entry, model: 'fresh' }, { ...entry, model: 'refused' }]
  const bodies = await open(rows, ({ method, path: at, body }) => {
    if (at === `${path}read`)
      return data({ infos, skipped: [{ model: 'broken', why: '`name`: too long' }] })
    if (method !== 'POST' || at !== path) return undefined
    const { model } = body as { model: string }
    if (model === 'refused') return refusal(400, 'request.invalid', '`name`: is wrong.')
    rows.push(info(10, model))
    return data(rows.at(-1))
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Import' }))
  const dialog = within(await screen.findByRole('dialog'))
  await waitFor(() =>
    expect(dialog.getByLabelText<HTMLInputElement>('Address of the list').value).toBe(
      'https://vendor.example/list',
    ),
  )
  await userEvent.click(dialog.getByRole('button', { name: 'Read the list' }))
  expect(await dialog.findByText('Models that are described already: 1')).toBeTruthy()
  expect(bodies('POST', `${path}read`)).toEqual([{ address: 'https://vendor.example/list' }])
  expect(dialog.getByText('broken: `name`: too long')).toBeTruthy()
  expect(dialog.getByRole<HTMLInputElement>('radio', { name: /^Skip/ }).checked).toBe(true)
  await userEvent.click(dialog.getByRole('button', { name: 'Import (2)' }))
  expect(await dialog.findByText('1 created, 0 updated, 1 skipped, 1 failed.')).toBeTruthy()
  expect(dialog.getByText(/^refused: /).textContent).toContain('`name`: is wrong.')
  expect(bodies('PUT')).toEqual([])

  // A repeat writes only what is missing, unless stored entries are to be replaced.
  expect(await dialog.findByRole('button', { name: 'Import (1)' })).toBeTruthy()
  await userEvent.click(dialog.getByRole('radio', { name: /^Overwrite/ }))
  await userEvent.click(dialog.getByRole('button', { name: 'Import (3)' }))
  expect(await dialog.findByText('0 created, 2 updated, 0 skipped, 1 failed.')).toBeTruthy()
  expect(bodies('PUT')).toEqual([
    { ...entry, id: 9 },
    { ...entry, model: 'fresh', id: 10 },
  ])
})

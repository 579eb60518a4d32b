import type { ChannelImport } from '@hub/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { data, type Request, serve, show } from '../../../test/setup.tsx'
import { exportAddress } from './export-address.ts'
import { ImportDialog } from './import-dialog.tsx'

const open = async (response: (request: Request) => ChannelImport) => {
  const close = vi.fn()
  const requests = serve(request =>
    request.path === '/api/channel/import' ? data(response(request)) : data([]),
  )
  await show(<ImportDialog close={close} />)
  const dialog = within(await screen.findByRole('dialog', { name: 'Import channels' }))
  const file = new File(['{"format":1}'], 'channels.json', { type: 'application/json' })
  fireEvent.change(dialog.getByLabelText('Choose file', { selector: 'input' }), {
    target: { files: [file] },
  })
  await dialog.findByText('channels.json')
  return { close, dialog, imports: () => requests.filter(each => each.path.endsWith('/import')) }
}

const planned = {
  ...{ line: 2, name: 'one', type: 1, models: 'a,b', group: 'default' },
  ...{ status: 2 as const, missing: ['key' as const] },
}

it('a file is checked first, and only a click imports it', async () => {
  const plan: ChannelImport = { channels: [planned], problems: [], ids: [] }
  const { close, dialog, imports } = await open(({ body }) =>
    (body as { dry_run?: boolean }).dry_run ? plan : { ...plan, ids: [9] },
  )
  expect(dialog.getByRole('listitem').textContent).toContain('To be entered: Key')
  expect(imports().map(each => each.body)).toEqual([{ file: '{"format":1}', dry_run: true }])
  fireEvent.click(dialog.getByRole('button', { name: 'Import 1 channels' }))
  await screen.findByText('Channels imported: 1')
  expect(imports()[1]?.body).toEqual({ file: '{"format":1}' })
  await waitFor(() => expect(close).toHaveBeenCalledOnce())
})

it('a mistake has its line, channel, field and reason, and nothing can be imported', async () => {
  const { dialog } = await open(() => ({
    channels: [],
    problems: [
      { line: 4, name: 'one', field: 'weight', reason: 'too_short', detail: '1' },
      { line: 9, name: '', field: 'typo', reason: 'unknown_field', detail: '' },
    ],
    ids: [],
  }))
  const shown = dialog.getAllByRole('listitem').map(each => each.textContent)
  expect(shown).toEqual([
    'Line 4 · one · WeightThe value is too small or too short. At least 1.',
    'Line 9 · typoThere is no such field.',
  ])
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Import' }).disabled).toBe(true)
})

it('the export of a filter names what is set, and that of a choice its ids', () => {
  expect(exportAddress({ ids: [1, 2] })).toBe('/api/channel/export?ids=1%2C2')
  expect(exportAddress({ filters: { name: 'a b', type: '', status: 2 } })).toBe(
    '/api/channel/export?name=a+b&status=2',
  )
})

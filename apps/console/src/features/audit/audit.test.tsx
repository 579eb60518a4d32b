// @vitest-environment happy-dom
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AuditRow, contract, type Endpoint, isAudited } from '@hub/contract'
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { queryClient } from '../../api/session.ts'
import { sessionQuery } from '../../api/site.ts'
import { languages } from '../../locales/language.ts'
import { data, serve, show } from '../../test/setup.tsx'
import { AuditPage } from './page.tsx'

const row: AuditRow = {
  ...{ id: 7, at: 1_700_000_000, actor_id: 1, actor_name: 'root', action: 'users.update' },
  ...{ target: '9', outcome: '', source_ip: '10.0.0.1', request_id: 'r-1' },
  input: { id: 9 },
  changes: [
    { row: '9', field: 'display_name', before: '', after: 'Ann' },
    { row: '12', field: '', after: { symbol: 'gold', ratio: 2, note: '' } },
    { row: '13', field: '', before: { symbol: 'old' } },
  ],
  changes_omitted: 3,
}

const open = async (address = '/') => {
  queryClient.setQueryData(sessionQuery.queryKey, { id: 7, username: 'ada', role: 10 } as never)
  const requests = serve(({ path }) => {
    if (path === '/api/user/session') return data(queryClient.getQueryData(sessionQuery.queryKey))
    if (path.endsWith('/actions')) return data(['users.update', 'groups.create'])
    return data({ data: [row], page: 1, size: 10, total_count: 1, total_exact: true })
  })
  await show(<AuditPage />, address)
  await screen.findByText('User · changed')
  return requests
}

it('an entry shows each changed field before and after, and the fields of new and deleted rows', async () => {
  await open()
  fireEvent.click(screen.getByText('User · changed'))
  const drawer = within(await screen.findByRole('dialog'))
  const values = (label: string) =>
    drawer.getAllByLabelText(label).map(sign => sign.parentElement?.textContent)
  expect(values('Before')).toEqual(['−empty', '−old'])
  expect(values('After')).toEqual(['+Ann', '+gold', '+2'])
  expect(drawer.getByText('Created')).toBeTruthy()
  expect(drawer.getByText('Deleted')).toBeTruthy()
  expect(drawer.queryByText('note')).toBeNull()
  expect(drawer.getByText('3 more changes are not stored')).toBeTruthy()
})

it('the filters are in the address', async () => {
  const requests = await open('/?action=users.update&outcome=failed&start_timestamp=1700000000')
  const { query } = requests.find(each => each.path === '/api/audit/')!
  expect(Object.fromEntries(query)).toMatchObject({
    ...{ action: 'users.update', outcome: 'failed', start_timestamp: '1700000000' },
  })
  expect(screen.getByText('Action: User · changed')).toBeTruthy()
  expect(screen.getByText('Outcome: Failed')).toBeTruthy()
})

it.each(languages)('every action of the contract has a name in %s', language => {
  const file = join(import.meta.dirname, `../../locales/${language}/audit.json`)
  const texts = JSON.parse(readFileSync(file, 'utf8'))
  const nameless = Object.entries(contract).flatMap(([resource, { endpoints }]) =>
    Object.entries(endpoints as Record<string, Endpoint>)
      .filter(([, endpoint]) => isAudited(endpoint))
      .filter(([name]) => !texts.resources[resource] || !texts.actions[name])
      .map(([name]) => `${resource}.${name}`),
  )
  expect(nameless).toEqual([])
})

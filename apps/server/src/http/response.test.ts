import { contract, type Endpoint } from '@hub/contract'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { makeResponse } from './response.ts'

const row = z.object({ id: z.number(), name: z.string() })
const endpoint = (more: Partial<Endpoint>) =>
  ({ ...contract.owners.endpoints.list, ...more }) as Endpoint

it('S24 C38 a field that the contract does not name is left out of the response', () => {
  const stored = { id: 1, name: 'vendor', key_sealed: 'v1.secret' }
  const shown = { id: 1, name: 'vendor' }
  const envelope = { success: true, message: '' }
  expect(makeResponse(endpoint({ response: row }), stored)).toEqual({ ...envelope, data: shown })
  const list = endpoint({ response: z.object({ data: z.array(row) }) })
  expect(makeResponse(list, { data: [stored] })).toEqual({ ...envelope, data: { data: [shown] } })
  expect(makeResponse(endpoint({ response: row, envelope: false }), stored)).toEqual(shown)
})

it('a response that lacks a field of the contract is a failure of the server', () => {
  expect(() => makeResponse(endpoint({ response: row }), { id: 1 })).toThrow(
    expect.objectContaining({ code: 'server.failed' }),
  )
})

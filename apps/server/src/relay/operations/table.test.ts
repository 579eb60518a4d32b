import { callOperations } from '@hub/contract/call-operations'
import { callerFormats } from '@hub/dialects'
import { describe, expect, it } from 'vitest'
import { operations, type PostedOperation } from './table.ts'

describe.each(Object.keys(operations) as PostedOperation[])('%s', id => {
  const { formats, testFields } = callOperations[id]

  it('uses the endpoints of its own name', () => expect(operations[id].endpoints).toBe(id))

  it.each(formats.filter(({ request }) => request))(
    'reads the shortest request of $format',
    each => {
      for (const fields of [{}, testFields]) {
        const body = Buffer.from(JSON.stringify({ model: 'm', ...each.request!('hi'), ...fields }))
        const params = each.actions && { model: 'm', stream: false }
        const read = callerFormats[each.format].read(body, params)
        expect(read).toMatchObject({ ok: true, parsed: { model: 'm' } })
      }
    },
  )
})

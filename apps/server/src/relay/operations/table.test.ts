import { callOperations } from '@hub/contract/call-operations'
import { callerFormats } from '@hub/dialects'
import { countPrompt } from '@hub/dialects/prompt-count'
import { describe, expect, it } from 'vitest'
import { operations, type PostedOperation } from './table.ts'

describe.each(Object.keys(operations) as PostedOperation[])('%s', id => {
  const { formats, testFields = {} } = callOperations[id]
  const written = formats.filter(({ request }) => request)

  it('uses the endpoints of its own name', () => expect(operations[id].endpoints).toBe(id))

  it.each(written)('reads the shortest request of $format and that of tests', each => {
    for (const fields of [{}, testFields]) {
      const body = Buffer.from(JSON.stringify({ model: 'm', ...each.request!('hi'), ...fields }))
      const params = each.actions && { model: 'm', stream: false }
      const read = callerFormats[each.format].read(body, params)
      expect(read).toMatchObject({ ok: true, parsed: { model: 'm' } })
    }
  })

  // A field that the counter does not know would be charged 0 tokens where the vendor reports no usage.
  it.each(written)('has its prompt counted in the shortest request of $format', each => {
    const tokensOf = (text: string) => {
      const body = Buffer.from(JSON.stringify({ model: 'm', ...each.request!(text) }))
      const { textTokens } = countPrompt(body, {
        format: callerFormats[each.format].id,
        model: 'm',
      })
      return textTokens
    }
    expect(tokensOf('many words instead of one')).toBeGreaterThan(tokensOf('one'))
  })
})

import { describe, expect, it } from 'vitest'
import type { Citation } from '../canon.ts'
import { anthropic } from './index.ts'

// https://platform.claude.com/docs/en/build-with-claude/citations
describe('sources', () => {
  const read = (citation: unknown) => {
    const [part] = anthropic.decodeAnswer({
      content: [{ type: 'text', text: 'a', citations: [citation] }],
    }).choices[0]!.parts
    return part?.type === 'text' ? part.citations?.[0] : undefined
  }

  it.each<[unknown, Citation]>([
    [
      { type: 'web_search_result_location', url: 'u', title: 't', cited_text: 'q' },
      { url: 'u', title: 't', quote: 'q' },
    ],
    [
      { type: 'page_location', document_title: 'd', cited_text: 'q' },
      { title: 'd', quote: 'q' },
    ],
    [{ title: 't', document_title: 'd' }, { title: 't' }],
    [{ url: 7, title: 7, cited_text: 7 }, {}],
    [null, {}],
  ])('%j is read, and kept as it stood', (value, citation) =>
    expect(read(value)).toStrictEqual({ ...citation, raw: { dialect: 'anthropic', value } }),
  )

  const parts = (...citations: Citation[]) => [{ type: 'text' as const, text: 'a', citations }]
  const encoded = (...citations: Citation[]) => {
    const choices = [{ parts: parts(...citations) }]
    const answer = anthropic.encodeResponse({ id: 'i', model: 'm', choices })
    const messages = [{ role: 'assistant' as const, parts: [...parts(...citations), ...parts()] }]
    const request = anthropic.encodeRequest({ model: 'm', messages })
    const [message] = request.body.messages as { content: unknown[] }[]
    return [
      { block: (answer.body.content as unknown[])[0], warnings: answer.warnings.length },
      { block: message!.content[0], warnings: request.warnings.length },
    ]
  }
  const bare = { block: { type: 'text', text: 'a' }, warnings: 0 }
  const lost = { ...bare, warnings: 1 }
  const cited = (...citations: unknown[]) => ({ block: { ...bare.block, citations }, warnings: 0 })
  const raw = (value: unknown) => ({ raw: { dialect: 'anthropic' as const, value } })
  const web = { type: 'web_search_result_location', encrypted_index: '' }

  it.each<[string, Citation, object, object]>([
    ['its own', raw({ cited_text: 'q' }), cited({ cited_text: 'q' }), cited({ cited_text: 'q' })],
    ['one that came back', raw({ ...web, url: 'u' }), cited({ ...web, url: 'u' }), lost],
    [
      'another vendor’s',
      { url: 'u', title: 't', quote: 'q', raw: { dialect: 'openai-chat', value: {} } },
      cited({ ...web, url: 'u', title: 't', cited_text: 'q' }),
      lost,
    ],
    ['a bare address', { url: 'u' }, cited({ ...web, url: 'u', title: 'u', cited_text: '' }), lost],
    ['one without an address', { title: 't' }, lost, lost],
  ])(
    '%s can be told to a caller; to the vendor only what it gave',
    (_, citation, answer, request) => expect(encoded(citation)).toEqual([answer, request]),
  )

  it('that some are lost is said, and the others stay', () => {
    const [answer] = encoded({ title: 't' }, raw({ cited_text: 'q' }))
    expect(answer).toEqual({ ...cited({ cited_text: 'q' }), warnings: 1 })
    const payload = anthropic.encodeResponse({
      id: 'i',
      model: 'm',
      choices: [{ parts: [{ type: 'text', text: '', citations: [raw(1)] }] }],
    })
    expect(payload.body.content).toEqual([{ type: 'text', text: '', citations: [1] }])
    const { warnings } = anthropic.encodeResponse({
      id: 'i',
      model: 'm',
      choices: [{ parts: parts({ title: 't' }) }],
    })
    expect(warnings).toEqual([{ dropped: 'citations', dialect: 'anthropic' }])
  })
})

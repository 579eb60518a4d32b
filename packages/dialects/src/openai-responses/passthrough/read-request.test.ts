import { describe, expect, it } from 'vitest'
import { openaiResponses } from '../index.ts'

const read = (body: string | Buffer) => openaiResponses.read(Buffer.from(body as string))
const reason = (body: string | Buffer) => {
  const result = read(body)
  return result.ok ? 'read' : result.reason
}

describe('reading a request', () => {
  it('takes what decides the price', () => {
    expect(
      read('{"model":"m","stream":true,"max_output_tokens":9,"tools":[{}],"input":"x"}'),
    ).toMatchObject({
      ok: true,
      parsed: { model: 'm', stream: true, outputMax: 9, n: 1, hasTools: true, wantsUsage: true },
    })
    expect(
      read('{"model":"a\\/b","stream":null,"max_output_tokens":null,"tools":[]}'),
    ).toMatchObject({
      ok: true,
      parsed: { model: 'a/b', stream: false, outputMax: undefined, hasTools: false },
    })
  })

  it('a trigger reserves the instruction of the summary as well', () => {
    const parsedOf = (type: string) => {
      const result = read(JSON.stringify({ model: 'm', input: [{ type }] }))
      if (!result.ok) throw new TypeError(result.hint)
      return result.parsed
    }
    const [plain, compacting] = [parsedOf('compaction_trigges'), parsedOf('compaction_trigger')]
    expect([plain.state?.compacts, compacting.state?.compacts]).toEqual([undefined, true])
    expect(compacting.promptTokens - plain.promptTokens).toBeGreaterThan(100)
  })

  it.each(['additional_tools', 'tool_search_output'])('an item %s brings tools', type => {
    const body = JSON.stringify({ model: 'm', input: [{ type, tools: [{ type: 'function' }] }] })
    expect(read(body)).toMatchObject({ parsed: { hasTools: true } })
  })

  it.each([
    ['{"model":"cheap","model":"dear"}'],
    ['{"mod\\u0065l":"m"}'],
    ['{"model":"m","MODEL":"dear"}'],
    ['{"model":"m","max_output_tokens":1,"max_output_tokens":9}'],
    ['{"model":"m","Max_Output_Tokens":9}'],
    ['{"model":"m","ſtream":true}'],
    ['{"model":"m","Background":true}'],
  ])('refuses what two parsers would read in two ways: %s', body => {
    expect(reason(body)).toBe('ambiguous')
  })

  it.each([
    'model',
    'stream',
    'max_output_tokens',
    'background',
    'store',
    'previous_response_id',
    'conversation',
  ])('%s stands once', key => {
    expect(reason(`{"model":"m","${key}":null,"${key}":null}`)).toBe('ambiguous')
    expect(reason(`{"model":"m","${key.toUpperCase()}":null}`)).toBe('ambiguous')
  })

  it.each([
    ['{}'],
    ['{"model":""}'],
    ['{"model":"\\ud800"}'],
    ['{"model":"m","stream":"true"}'],
    ['{"model":"m","max_output_tokens":-1}'],
    ['{"model":"m","max_output_tokens":4294967296}'],
    ['{"model":"m","max_output_tokens":"9"}'],
  ])('refuses what cannot be priced: %s', body => {
    expect(reason(body)).toBe('invalid')
  })

  it('refuses what is no JSON object, and what is not UTF-8', () => {
    expect([reason('[]'), reason('{"model":"m",}'), reason('')]).toEqual(
      Array(3).fill('unreadable'),
    )
    expect(reason(Buffer.from('{"model":"é"}', 'latin1'))).toBe('unreadable')
  })

  it('takes what decides whose answers are read, and what becomes of this one', () => {
    const stateOf = (more: string) => {
      const result = read(`{"model":"m"${more}}`)
      return result.ok ? result.parsed.state : result.reason
    }
    const nothing = {
      store: true,
      background: false,
      previousResponseId: undefined,
      conversationId: undefined,
      hasItemReferences: false,
    }
    expect(stateOf(',"background":null,"store":null,"previous_response_id":null')).toEqual(nothing)
    expect(stateOf(',"store":false,"background":true')).toEqual({
      ...nothing,
      store: false,
      background: true,
    })
    expect(stateOf(',"previous_response_id":"resp_1","conversation":"conv_1"')).toEqual({
      ...nothing,
      previousResponseId: 'resp_1',
      conversationId: 'conv_1',
    })
    expect(stateOf(',"conversation":{"id":"conv_2"}')).toEqual({
      ...nothing,
      conversationId: 'conv_2',
    })
    expect(stateOf(',"input":[{"type":"item_reference","id":"msg_1"}]')).toEqual({
      ...nothing,
      hasItemReferences: true,
    })
    expect(stateOf(',"input":[{"type":"item\\u005freference","id":"msg_1"}]')).toEqual({
      ...nothing,
      hasItemReferences: true,
    })
    expect(stateOf(',"input":"a \\"item_reference\\" in words"')).toEqual(nothing)
    for (const wrong of [
      ',"background":"true"',
      ',"store":0',
      ',"previous_response_id":7',
      ',"previous_response_id":""',
      ',"conversation":{}',
      ',"conversation":{"id":"a","id":"b"}',
      ',"conversation":{"id":"a","ID":"b"}',
      ',"conversation":["conv_1"]',
    ])
      expect([wrong, stateOf(wrong)]).toEqual([wrong, 'invalid'])
    for (const wrong of [
      ',"previous_response_id":"a","previous_response_id":"b"',
      ',"Previous_Response_Id":"a"',
      ',"STORE":false',
    ])
      expect([wrong, stateOf(wrong)]).toEqual([wrong, 'ambiguous'])
  })

  it.each([
    ['model', "'model' must be the name of a model."],
    ['stream', "'stream' must be true or false."],
    ['background', "'background' must be true or false."],
    ['store', "'store' must be true or false."],
    ['previous_response_id', "'previous_response_id' must be the id of a response."],
    ['conversation', "'conversation' must name a conversation."],
    ['max_output_tokens', "'max_output_tokens' must be a whole number from 0 to 2^31."],
  ])('says what is wrong with %s', (key, hint) => {
    const body = JSON.stringify({ model: 'm', [key]: [] })
    expect(read(body)).toStrictEqual({ ok: false, reason: 'invalid', hint })
  })

  it('an answer may be asked for without a word of it', () => {
    expect(read('{"model":"m","max_output_tokens":0}')).toMatchObject({ parsed: { outputMax: 0 } })
    expect(read('{"model":"m","max_output_tokens":2147483648}')).toMatchObject({ ok: true })
  })

  const base64 = 'iVBORw0KGgo'.repeat(10_000)
  it.each([
    ['image_url', `data:image/png;base64,${base64}`],
    ['file_data', base64],
    ['data', base64],
    ['result', base64],
    ['image_url', 'https://a.example/x.png'],
    ['file_id', 'file-1'],
    ['file_url', 'https://a.example/x.pdf'],
  ])('counts what stands under %s as media', (key, value) => {
    const result = read(JSON.stringify({ model: 'm', input: [{ content: [{ [key]: value }] }] }))
    if (!result.ok) throw new Error(result.hint)
    const { promptTokens, mediaTokens } = result.parsed
    expect(mediaTokens).toBeGreaterThan(50)
    expect(promptTokens).toBeGreaterThan(mediaTokens!)
    expect(promptTokens - mediaTokens!).toBeLessThan(100)
  })

  it('counts an image once, whatever its size', () => {
    const image = `data:image/png;base64,${'iVBORw0KGgo'.repeat(100_000)}`
    const result = read(
      `{"model":"m","input":[{"content":[{"type":"input_image","image_url":"${image}"}]}]}`,
    )
    if (!result.ok) throw new Error(result.hint)
    expect(result.parsed.promptTokens).toBeLessThan(3_000)
  })
})

import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { tilesOf as geminiTiles } from '../gemini/media.ts'
import { anthropic, gemini, openaiChat, openaiResponses } from '../index.ts'
import { tilesOf } from '../openai-chat/media.ts'
import type { MediaRule, Medium } from './media.ts'
import { readTop } from './read-request.ts'

/** The first bytes of a picture of this size, as its format has them, and something behind them. */
const picture = (
  format: 'png' | 'jpeg' | 'gif' | 'webp',
  width: number,
  height: number,
): string => {
  const bytes = Buffer.alloc(90_000, 0x41)
  if (format === 'png') {
    bytes.write('89504e470d0a1a0a0000000d49484452', 0, 'hex')
    bytes.writeUInt32BE(width, 16)
    bytes.writeUInt32BE(height, 20)
  } else if (format === 'gif') {
    bytes.write('GIF89a')
    bytes.writeUInt16LE(width, 6)
    bytes.writeUInt16LE(height, 8)
  } else if (format === 'jpeg') {
    // Behind a profile of 60 KB.
    bytes.write('ffd8ffe2ea60', 0, 'hex')
    const frame = 4 + 0xea60
    bytes.write('ffc0001108', frame, 'hex')
    bytes.writeUInt16BE(height, frame + 5)
    bytes.writeUInt16BE(width, frame + 7)
  } else {
    bytes.write('RIFF0000WEBPVP8X')
    bytes.writeUIntLE(width - 1, 24, 3)
    bytes.writeUIntLE(height - 1, 27, 3)
  }
  return bytes.toString('base64')
}
const png = (width: number, height: number) => picture('png', width, height)

const base64Of = (text: string) => Buffer.from(text, 'latin1').toString('base64')

const openaiBody = (url: string, model = 'gpt-4o') => ({
  model,
  messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
})
const responsesBody = (part: object) => ({
  model: 'gpt-4o',
  input: [{ role: 'user', content: [part] }],
})
const anthropicBody = (source: object, type = 'image') => ({
  model: 'm',
  max_tokens: 5,
  messages: [{ role: 'user', content: [{ type, source }] }],
})
const geminiBody = (part: object) => ({ contents: [{ role: 'user', parts: [part] }] })

const given = {
  openai: (data: string, model?: string) => openaiBody(`data:image/png;base64,${data}`, model),
  anthropic: (data: string, media_type = 'image/png', type = 'image') =>
    anthropicBody({ type: 'base64', media_type, data }, type),
  gemini: (data: string, mimeType = 'image/png') => geminiBody({ inlineData: { mimeType, data } }),
}

const mediaIn = (dialect: typeof openaiChat, body: object): number => {
  const read = dialect.read(Buffer.from(JSON.stringify(body)), { model: 'm', stream: false })
  if (!read.ok) throw new Error(read.hint)
  const { mediaTokens, promptTokens } = read.parsed
  expect(promptTokens - mediaTokens!).toBeLessThan(200)
  return mediaTokens!
}

describe('what is reserved for media', () => {
  // https://platform.claude.com/docs/en/build-with-claude/vision, its own examples.
  it.each([
    [200, 200, 54],
    [1_000, 1_000, 1_334],
    [1_092, 1_092, 1_590],
    [1_568, 784, 1_640],
    [8_000, 8_000, 4_784],
  ])('anthropic, %d x %d', (width, height, tokens) => {
    const counted = mediaIn(anthropic, given.anthropic(png(width, height)))
    expect(counted).toBeGreaterThanOrEqual(tokens)
    expect(counted).toBeLessThanOrEqual(Math.max(tokens * 1.05, tokens + 10))
  })

  // https://developers.openai.com/api/docs/guides/images-vision: 765 and 1,105 tokens, 1,024 and 1,452 patches.
  it.each([
    [1_024, 1_024, 4, 765],
    [2_048, 4_096, 6, 1_105],
  ])('openai, %d x %d', (width, height, tiles, tokens) => {
    expect(tilesOf(width, height)).toBe(tiles)
    const body = given.openai(png(width, height))
    expect(mediaIn(openaiChat, body)).toBeGreaterThanOrEqual(tokens)
    const image_url = `data:image/png;base64,${png(width, height)}`
    const again = mediaIn(openaiResponses, responsesBody({ type: 'input_image', image_url }))
    expect(again).toBe(mediaIn(openaiChat, body))
    const small = mediaIn(openaiChat, given.openai(png(width, height), 'gpt-4o-mini'))
    expect(small).toBe(2_833 + 5_667 * tiles)
  })

  it('a picture in patches costs each of them by the factor of its model', () => {
    const counted = (model: string) => mediaIn(openaiChat, given.openai(png(1_024, 1_024), model))
    expect(counted('gpt-4.1-mini')).toBeGreaterThanOrEqual(1_024 * 1.62)
    expect(counted('gpt-4.1-nano')).toBeGreaterThanOrEqual(1_024 * 2.46)
    expect(counted('o4-mini')).toBeGreaterThanOrEqual(1_024 * 1.72)
  })

  // https://ai.google.dev/gemini-api/docs/tokens, and the crop unit of 960 x 540 at image-understanding.
  it('gemini: one tile, or as many as the shorter side wants', () => {
    expect([geminiTiles(384, 384), geminiTiles(960, 540), geminiTiles(768, 768)]).toEqual([1, 6, 4])
    expect(mediaIn(gemini, given.gemini(png(960, 540)))).toBe(6 * 258)
    // Newer models take up to 1,120 for any picture.
    expect(mediaIn(gemini, given.gemini(png(100, 100)))).toBe(1_120)
  })

  it('the size of a picture is read in each format', () => {
    for (const format of ['png', 'jpeg', 'gif', 'webp'] as const)
      expect(mediaIn(anthropic, given.anthropic(picture(format, 750, 1_000)))).toBe(1_000)
  })

  it('what is kept elsewhere, or does not say its size, is as large as it may be', () => {
    const url = 'https://example.com/a.jpg'
    const broken = '/9j/'.padEnd(4_000, 'A')
    expect(mediaIn(anthropic, anthropicBody({ type: 'url', url }))).toBe(4_784)
    expect(mediaIn(anthropic, given.anthropic(broken, 'image/jpeg'))).toBe(4_784)
    expect(mediaIn(openaiChat, openaiBody(url))).toBeGreaterThanOrEqual(85 + 170 * 4)
    for (const part of [{ image_url: url }, { file_id: 'file-1' }, { file_url: url }])
      expect(mediaIn(openaiResponses, responsesBody(part))).toBeGreaterThanOrEqual(85 + 170 * 4)
    const fileData = { mimeType: 'image/jpeg', fileUri: url }
    expect(mediaIn(gemini, geminiBody({ fileData }))).toBe(10 * 258)
  })

  it.each([
    ['url', openaiChat, openaiBody('https://example.com/a.jpg')],
    ['image_url', openaiChat, openaiBody('https://example.com/a.jpg')],
    ['source', anthropic, anthropicBody({ type: 'url', url: 'https://example.com/a.jpg' })],
    ['url', anthropic, anthropicBody({ type: 'url', url: 'https://example.com/a.jpg' })],
    ['file_id', openaiResponses, responsesBody({ type: 'input_image', file_id: 'file-1' })],
    ['fileData', gemini, geminiBody({ fileData: { fileUri: 'https://example.com/a.jpg' } })],
    ['fileUri', gemini, geminiBody({ fileData: { fileUri: 'https://example.com/a.jpg' } })],
    ['data', anthropic, given.anthropic(png(750, 1_000))],
  ])('counts as much where an escape is in the key %s', (key, dialect, body) => {
    const codes = [...key].map(each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
    const tokensOf = (written: string) => {
      const text = JSON.stringify(body).replaceAll(`"${key}":`, `"${written}":`)
      const read = dialect.read(Buffer.from(text), { model: 'm', stream: false })
      return read.ok ? read.parsed.mediaTokens : read.hint
    }
    expect(tokensOf(key)).toBeGreaterThan(0)
    for (const written of [codes.join(''), key.slice(0, -1) + codes.at(-1)])
      expect(tokensOf(written)).toBe(tokensOf(key))
  })

  it('an address in a result of a tool, and thoughts that are locked, are no media', () => {
    const found = { type: 'web_search_result', url: 'https://example.com', title: 't' }
    const thought = { type: 'redacted_thinking', data: base64Of('locked '.repeat(20)) }
    const messages = [{ role: 'assistant', content: [thought, { type: 'x', content: [found] }] }]
    expect(mediaIn(anthropic, { model: 'm', max_tokens: 5, messages })).toBe(0)
  })

  it('a PDF is its pages, where they can be seen, else its length', () => {
    const pages = '<</Type /Pages>> <</Type /Page>> <</Type/Page>> '.padEnd(200)
    const plain = base64Of(`%PDF-1.4 ${pages}`)
    const inside = deflateSync(`12 0 13 20 ${pages}`).toString('latin1')
    const head = '%PDF-1.7\n<</Type/ObjStm/N 2/First 11/Filter/FlateDecode>>stream\r\n'
    const packed = base64Of(`${head}${inside}\nendstream`)
    const broken = base64Of(`${head}nothing that was packed\nendstream`.padEnd(200))
    const secret = base64Of(`%PDF-1.7 <</Encrypt 9 0 R>> ${pages}`)
    const counted = (data: string) =>
      mediaIn(anthropic, given.anthropic(data, 'application/pdf', 'document'))
    expect(counted(plain)).toBe(2 * (3_000 + 4_784))
    expect(counted(packed)).toBe(2 * (3_000 + 4_784))
    expect(counted(broken)).toBe(broken.length)
    expect(counted(secret)).toBe(secret.length)
    expect(mediaIn(gemini, given.gemini(plain, 'application/pdf'))).toBe(2 * 1_120)
    const file_data = `data:application/pdf;base64,${plain}`
    const file = { role: 'user', content: [{ type: 'file', file: { file_data } }] }
    const params = { model: 'gpt-4o', messages: [file] }
    expect(mediaIn(openaiChat, params)).toBeGreaterThanOrEqual(2 * (3_000 + 765))
  })

  it('a sound and a film are what they last at the least', () => {
    // A minute of 64 kilobits: 32 tokens a second.
    const minute = Buffer.concat([Buffer.from('ID3'), Buffer.alloc(480_000, 1)]).toString('base64')
    expect(mediaIn(gemini, given.gemini(minute, 'audio/mpeg'))).toBeGreaterThanOrEqual(60 * 32)
    const film = Buffer.alloc(480_000, 7).toString('base64')
    expect(mediaIn(gemini, given.gemini(film, 'video/mp4'))).toBeGreaterThanOrEqual(60 * 295)
    const input_audio = { data: minute, format: 'mp3' }
    const messages = [{ role: 'user', content: [{ type: 'input_audio', input_audio }] }]
    expect(mediaIn(openaiChat, { model: 'gpt-audio', messages })).toBeGreaterThanOrEqual(600)
  })

  it('a text is no picture, whatever it is made of', () => {
    const content = `data:image/png;base64,${png(10, 10)}`
    const messages = [{ role: 'user', content }]
    for (const dialect of [openaiChat, anthropic]) {
      const read = dialect.read(Buffer.from(JSON.stringify({ model: 'm', messages })))
      expect(read.ok && [read.parsed.mediaTokens, read.parsed.promptTokens > 40_000]).toEqual([
        0,
        true,
      ])
    }
  })
})

describe('what is found in a body', () => {
  const rule = { data: ['data'], links: ['url', 'uri'] }

  const mediaOf = (body: object, expected: Omit<MediaRule, 'tokensOf'> = rule) => {
    const media: Medium[] = []
    const tokensOf = (medium: Medium) => media.push(medium) * 0 + 7
    const top = readTop(Buffer.from(JSON.stringify(body)), [], { ...expected, tokensOf })
    if (!top.ok) throw new Error(top.hint)
    expect(top.mediaTokens).toBe(7 * media.length)
    return media
  }

  const characters = (count: number) => 'QUJD'.repeat(count / 4) + 'QUJD'.slice(0, count % 4)
  const other = (length: number) => [{ kind: 'other', length }]

  it.each<[string, string, unknown[]]>([
    ['62 letters of base64', characters(62), other(62)],
    ['61 letters, less than any picture', characters(61), []],
    ['the head of a data URL', `data:audio/ogg;base64,${characters(100)}`, other(100)],
    ['a head of 127 letters', `data:${'x'.repeat(122)},${characters(100)}`, other(100)],
    ['a head of nothing', `,${characters(100)}`, other(100)],
    ['a comma too far on', `${characters(128)},${characters(100)}`, []],
    ['a beginning that is none', `ä${characters(200)}`, []],
    ['a middle that is none', `${characters(400)} ${characters(400)}`, []],
    ['an end that is none', `${characters(400)}.`, []],
    ['a sound by its tag', `SUQz${characters(100)}`, [{ kind: 'audio', length: 104 }]],
    ['a sound by its frame', `//${characters(100)}`, [{ kind: 'audio', length: 102 }]],
    ['a sound in a container', `UklGRg${characters(100)}`, [{ kind: 'audio', length: 106 }]],
    ['a picture', png(3, 4), [{ kind: 'image', size: { width: 3, height: 4 } }]],
    ['a picture of no known size', `R0lGOD${'A'.repeat(90)}`, [{ kind: 'image', size: undefined }]],
    ['a PDF', `JVBERi0${characters(90)}`, [{ kind: 'pdf', length: 97 }]],
  ])('%s', (_title, data, media) => expect(mediaOf({ data })).toEqual(media))

  it('a short one ends where it ends: the comma behind it is none of its head', () => {
    const small = png(3, 4).slice(0, 100)
    expect(mediaOf({ data: small, more: 1 })).toEqual([
      { kind: 'image', size: { width: 3, height: 4 } },
    ])
    expect(mediaOf({ data: `ä${characters(90)}`, more: 1 })).toEqual([])
  })

  it('base64 has letters, digits and six signs, those of addresses and of JSON among them', () => {
    for (let code = 0x20; code < 0x7f; code += 1) {
      const sign = String.fromCharCode(code)
      const data = characters(200) + (sign === '\\' || sign === '"' ? '/' : sign)
      expect([sign, mediaOf({ data }).length]).toEqual([sign, /[\w+/=\\"-]/.test(sign) ? 1 : 0])
    }
  })

  it('a file that is too long to be unpacked is no longer looked into', () => {
    const pages = '%PDF-1.4 /Type /Page '.padEnd(6_000)
    const long = (size: number) => mediaOf({ data: base64Of(pages.padEnd(size)) })
    expect(long(6_000_000)).toEqual([{ kind: 'pdf', length: 8_000_000, pages: 1 }])
    expect(long(6_600_000)).toEqual([{ kind: 'pdf', length: 8_800_000 }])
  })

  it('only what stands under the names of its dialect, and all of that', () => {
    const data = characters(80)
    const link = { kind: 'link' }
    expect(mediaOf({ other: data, list: [data, 'x'], url: 'a', deep: [{ uri: 'b' }] })).toEqual([
      link,
      link,
    ])
    expect(mediaOf({ data: 'short', url: [characters(80)], uri: 7 })).toEqual([])
    expect(mediaOf({ url: data, data })).toEqual([link, ...other(80)])
    expect(mediaOf({ data, url: data }, { data: ['data', 'url'], links: ['url'] })).toEqual([
      ...other(80),
      ...other(80),
    ])
  })

  it('where its dialect has an object for them, only directly in one', () => {
    const inside = { ...rule, inside: ['file', 'source'] }
    const link = { kind: 'link' }
    const found = (body: object) => mediaOf(body, inside)
    expect(found({ url: 'a', data: characters(80), other: { url: 'a' } })).toEqual([])
    expect(found({ file: { url: 'a', more: { url: 'b', c: [] }, uri: 'c' }, url: 'd' })).toEqual([
      link,
      link,
    ])
    expect(found({ a: [{ source: { data: characters(80) } }, { url: 'a' }], url: 'b' })).toEqual(
      other(80),
    )
    expect(found({ source: 'x', url: 'a', uri: ['b'] })).toEqual([])
  })

  it('its bytes are no text: what it costs is the rule’s word', () => {
    const body = (data: string) => Buffer.from(JSON.stringify({ text: 'abc', data }))
    const tokensOf = (_: Medium, model?: string) => (model === undefined ? 100 : 0)
    const top = readTop(body(characters(3_000)), [], { ...rule, tokensOf })
    const rest = body('').length - 2
    expect(top).toMatchObject({ mediaTokens: 100, promptTokens: 100 + Math.ceil(rest / 3) })
    const named = Buffer.from(JSON.stringify({ model: 'm', data: characters(80) }))
    expect(readTop(named, [], { ...rule, tokensOf })).toMatchObject({ mediaTokens: 0 })
  })
})

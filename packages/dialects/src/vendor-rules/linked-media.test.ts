import { expect, it } from 'vitest'
import { anthropic } from '../anthropic/index.ts'
import { converse } from '../converse/index.ts'
import type { Dialect, UpstreamDialect } from '../dialect.ts'
import { gemini } from '../gemini/index.ts'
import type { Json } from '../json/json.ts'
import { openaiChat } from '../openai-chat/index.ts'
import { openaiResponses } from '../openai-responses/index.ts'
import { type LinkedMedia, linkedMedia } from './linked-media.ts'

const image = 'https://files.example/cat.png'
const paper = 'https://files.example/paper.pdf'

/** The addresses in a request that the vendor of a dialect cannot be sent. */
const needed = (from: Dialect, to: Pick<UpstreamDialect, 'needsBytes'>, body: object) => {
  const read = from.decodeRequest({ model: 'm', max_tokens: 5, ...body })
  if (!read.ok) throw new Error(read.hint)
  return linkedMedia(read.request, part => to.needsBytes?.(part) ?? false).map(({ url }) => url)
}
const part = (url: string, mime = 'image/*'): LinkedMedia => ({ type: 'media', mime, url })

const ofChat = (...urls: string[]) => ({
  messages: [
    { role: 'user', content: urls.map(url => ({ type: 'image_url', image_url: { url } })) },
  ],
})
const ofMessages = {
  messages: [
    { role: 'user', content: [{ type: 'image', source: { type: 'url', url: image } }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: {} }] },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'a',
          content: [{ type: 'image', source: { type: 'url', url: `${image}?2` } }],
        },
        { type: 'document', source: { type: 'url', url: paper } },
      ],
    },
  ],
}
const ofResponses = {
  input: [
    {
      role: 'user',
      content: [
        { type: 'input_image', image_url: image },
        { type: 'input_file', file_url: paper },
      ],
    },
  ],
}

it('Converse takes addresses of its own storage only', () => {
  expect(needed(openaiChat, converse, ofChat(image, 's3://bucket/cat.png'))).toEqual([image])
  expect(needed(anthropic, converse, ofMessages)).toEqual([image, `${image}?2`, paper])
  expect(needed(openaiResponses, converse, ofResponses)).toEqual([image, paper])
  expect(needed(openaiChat, converse, ofChat('file:///etc/passwd', ''))).toEqual([
    'file:///etc/passwd',
    '',
  ])
})

it('Gemini takes an address with a type, and its own addresses', () => {
  const own = [
    'https://generativelanguage.googleapis.com/v1beta/files/abc',
    'https://www.youtube.com/watch?v=abc',
    'https://youtu.be/abc',
    'gs://bucket/cat.png',
  ]
  expect(needed(openaiChat, gemini, ofChat(image, ...own))).toEqual([image])
  expect(needed(anthropic, gemini, ofMessages)).toEqual([image, `${image}?2`])
  expect(needed(openaiResponses, gemini, ofResponses)).toEqual([image])
  const similar = 'https://www.youtube.com.files.example/a'
  expect(needed(openaiChat, gemini, ofChat(similar))).toEqual([similar])
})

it('chat completions have addresses of images and videos only', () => {
  expect(openaiChat.needsBytes?.(part(image))).toBe(false)
  expect(openaiChat.needsBytes?.(part(image, 'video/mp4'))).toBe(false)
  expect(needed(anthropic, openaiChat, ofMessages)).toEqual([paper])
  expect(needed(openaiResponses, openaiChat, ofResponses)).toEqual([paper])
  expect(openaiChat.needsBytes?.(part(image, 'audio/*'))).toBe(true)
})

it('Messages and Responses take addresses', () => {
  for (const dialect of [anthropic, openaiResponses]) expect(dialect.needsBytes).toBeUndefined()
})

it('media with content, and uploaded files, are not linked', () => {
  const content = [
    { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    { type: 'file', file: { file_id: 'file-1' } },
  ]
  expect(needed(openaiChat, converse, { messages: [{ role: 'user', content }] })).toEqual([])
})

it('the scan of a request sees its links without decoding it', () => {
  const hasLinks = (dialect: Dialect, body: Json) => {
    const read = dialect.read(Buffer.from(JSON.stringify({ model: 'm', max_tokens: 5, ...body })))
    return read.ok && read.parsed.hasMediaLinks
  }
  expect(hasLinks(openaiChat, ofChat(image))).toBe(true)
  expect(hasLinks(anthropic, ofMessages)).toBe(true)
  expect(hasLinks(openaiResponses, ofResponses)).toBe(true)
  const long = `data:image/png;base64,${'iVBORw0KGgo'.padEnd(400, 'A')}`
  expect(hasLinks(openaiChat, ofChat(long))).toBe(false)
  expect(hasLinks(openaiChat, { messages: [{ role: 'user', content: image }] })).toBe(false)
})

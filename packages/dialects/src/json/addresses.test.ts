import { expect, it } from 'vitest'
import { readTop } from './read-request.ts'

const hasAddresses = (text: string): boolean => {
  const read = readTop(Buffer.from(text), [])
  if (!read.ok) throw new Error(read.hint)
  return read.hasAddresses
}

it.each([
  '{"a":{"url":"https://x.example"}}',
  '{"a":{"url":"files/abc"}}',
  '{"image_url":"gs://bucket/a"}',
  '{"fileData":{"fileUri":"files/abc"}}',
  '{"gcsUri":"x"}',
  '{"URL":"x"}',
  '{"u\\u0072l":"x"}',
  '{"image_ur\\u006c":"x"}',
  '{"\\u0075rl":"x"}',
  '{"image":"files/abc"}',
  '{"mask":"x"}',
  '{"image_urls":["gs://bucket/a"]}',
  '{"image_urls":["\\u0067s://bucket/a"]}',
])('%s may name something', text => {
  expect(hasAddresses(text)).toBe(true)
})

it.each([
  '{"messages":[{"role":"user","content":"https://x.example is a link"}]}',
  '{"a":{"url":"data:image/png;base64,AAAA"}}',
  '{"images":["data:image/png;base64,AAAA"]}',
  '{"required":["command","path"],"enum":["a:"]}'.replace('a:', 'a b:'),
  '{"curly":"x","ur":"x","i":"x"}',
  '{"url":5,"image":{"data":"x"}}',
])('%s names nothing', text => {
  expect(hasAddresses(text)).toBe(false)
})

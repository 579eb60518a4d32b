import { expect, it } from 'vitest'
import { onOneEngine } from '../../../test/harness.ts'
import { fairPromptTokens } from './fair-prompt.ts'

onOneEngine('fair prompts', open => {
  const prompt = (body: object | string) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const bytes = Buffer.from(text)
    return {
      parsed: { body: bytes, promptTokens: Math.ceil(bytes.length / 3) },
      ...{ format: 'openai-chat', model: 'gpt-4o', userId: 1 },
    }
  }
  const ofText = (content: string) => prompt({ messages: [{ role: 'user', content }] })
  const exact = { isExact: true }

  it('a body that cannot be read costs 0.6 of the cautious number, and the next is counted', async () => {
    const { app } = await open()
    const broken = prompt(`{"messages": [${'x'.repeat(285)}`)
    expect(await fairPromptTokens(app, broken, exact)).toBe(60)
    expect(await fairPromptTokens(app, ofText('one two three'), exact)).toBe(3 + 7)
  })

  it('no count exceeds the cautious number', async () => {
    const { app } = await open()
    const one = ofText('one two three')
    const cautious = { ...one, parsed: { ...one.parsed, promptTokens: 5 } }
    expect(await fairPromptTokens(app, cautious, exact)).toBe(5)
  })

  it('a text that a tokenizer would take minutes for is counted in its time', async () => {
    const { app } = await open()
    const started = performance.now()
    for (const sign of ['a', '中', '=', ' '])
      expect(await fairPromptTokens(app, ofText(sign.repeat(300_000)), exact)).toBeGreaterThan(100)
    expect(performance.now() - started).toBeLessThan(60_000)
  })

  it('above 1 MB the rest is counted by scripts', async () => {
    const { app } = await open()
    const sentence = 'The quick brown fox jumps over the lazy dog.\n'
    const tokens = await fairPromptTokens(app, ofText(sentence.repeat(50_000)), exact)
    expect(Math.abs(tokens / 500_000 - 1)).toBeLessThan(0.1)
  })

  it('names of special tokens in a text are text', async () => {
    const { app } = await open()
    expect(await fairPromptTokens(app, ofText('<|endoftext|>'), exact)).toBeGreaterThan(8)
  })

  it('several at once are counted one after another, each its own', async () => {
    const { app } = await open()
    const texts = Array.from({ length: 20 }, (_, at) => ofText('word '.repeat(at + 40)))
    const counts = await Promise.all(texts.map(each => fairPromptTokens(app, each, exact)))
    expect(counts).toEqual(texts.map((_, at) => at + 40 + 1 + 7))
  })
})

import { describe, expect, it } from 'vitest'
import { frameTemplate } from './frame-template.ts'

const frame = (text: string, more = '') =>
  `data: {"id":"a","choices":[{"delta":{"content":${text}}${more}}]}\n\n`

describe('the pattern of a frame', () => {
  const seen: string[] = []
  const withTemplate = () => {
    seen.length = 0
    const template = frameTemplate((bytes, start, end, textStart, textEnd) => {
      expect(bytes.toString('utf8', start, end)).toContain('data: ')
      seen.push(bytes.toString('utf8', textStart, textEnd))
    })
    const first = Buffer.from(`x${frame('"one"')}`)
    template.remember(first, 1, first.length, first.indexOf('one'), first.indexOf('one') + 3)
    return template
  }

  it('is met by frames with any other plain text', () => {
    const chunk = Buffer.from(frame('"two"') + frame('""') + frame('"три ☃"'))
    expect(withTemplate().match(chunk, 0)).toBe(chunk.length)
    expect(seen).toEqual(['two', '', 'три ☃'])
  })

  it.each([
    ['an escape', '"a\\n"'],
    ['a quote that is escaped', '"a\\"}}]}"'],
    ['no text', 'null'],
    ['a control character', '"a\tb"'],
  ])('is not met by %s', (_name, text) => {
    expect(withTemplate().match(Buffer.from(frame(text)), 0)).toBe(0)
  })

  it('is not met by a frame that says something else, before, behind, or not to its end', () => {
    const template = withTemplate()
    for (const other of [
      frame('"two"', ',"usage":{}'),
      frame('"two"').replace('"a"', '"b"'),
      frame('"two"').slice(0, -1),
      frame('"two').slice(0, 40),
      '',
    ])
      expect(template.match(Buffer.from(other), 0)).toBe(0)
  })

  it('ends where another frame begins', () => {
    const chunk = Buffer.from(frame('"two"') + frame('"three\\n"') + frame('"four"'))
    expect(withTemplate().match(chunk, 0)).toBe(frame('"two"').length)
  })

  it('is given up where no frame meets it', () => {
    const template = withTemplate()
    for (let at = 0; at < 20; at += 1) {
      const bytes = Buffer.from(frame(`"${at}"`, `,"random":${at}`))
      expect(template.match(bytes, 0)).toBe(0)
      const start = bytes.indexOf(`"${at}"`) + 1
      template.remember(bytes, 0, bytes.length, start, start + String(at).length)
    }
    expect(template.match(Buffer.from(frame('"19"', ',"random":19')), 0)).toBe(0)
  })
})

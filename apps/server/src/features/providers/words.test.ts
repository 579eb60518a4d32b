import { readFileSync } from 'node:fs'
import { optionsForm, providers } from '@hub/providers'
import { expect, it } from 'vitest'

type Node = { properties?: Record<string, Node> }
const at = (words: unknown, ...path: string[]) =>
  path.reduce<unknown>((each, key) => Reflect.get(Object(each), key), words)

it.each(['zh_CN', 'zh_HK', 'en_US', 'ja_JP'])(
  'every extra of every provider has a title in %s',
  language => {
    const file = `../../../../console/src/locales/${language}/channel-plugins.json`
    const plugins = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))
    const sections = providers.flatMap(provider =>
      Object.entries((optionsForm(provider) as Node).properties ?? {}),
    )
    expect(sections.length).toBeGreaterThan(0)
    for (const [id, section] of sections) {
      expect([id, typeof at(plugins, id, 'title')]).toEqual([id, 'string'])
      for (const key of Object.keys(section.properties ?? {})) {
        const place = `${id}.options.${key}`
        expect([place, typeof at(plugins, id, 'options', key, 'title')]).toEqual([place, 'string'])
      }
    }
  },
)

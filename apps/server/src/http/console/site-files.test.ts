import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { publicPages } from '@hub/contract'
import { beforeAll, expect, it } from 'vitest'
import { root } from '../../../../../test/harness/paths.ts'
import { pagesOf } from '../../../../console/preloads.ts'
import { onOneEngine, type TestApp } from '../../../test/harness.ts'

onOneEngine('files of the site', open => {
  let hub: TestApp
  beforeAll(async () => {
    hub = await open()
  })
  const get = (url: string) => hub.guest().get(url)
  const set = (key: string, value: string) => hub.root.put('/api/option/', { key, value })

  it('robots may read the public pages, and find the sitemap once the address of the site is known', async () => {
    const before = await get('/robots.txt')
    expect(before.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(before.text).toMatch(/^User-agent: \*\nDisallow: \/api\/\n/)
    expect(before.text).not.toContain('Sitemap')
    expect((await get('/sitemap.xml')).status).toBe(404)
    await set('ServerAddress', 'https://hub.example')
    expect((await get('/robots.txt')).text).toContain(
      '\nSitemap: https://hub.example/sitemap.xml\n',
    )
    const { text, headers } = await get('/sitemap.xml')
    expect(headers['content-type']).toBe('application/xml; charset=utf-8')
    const listed = [...text.matchAll(/<loc>https:\/\/hub\.example([^<]*)<\/loc>/g)]
    expect(listed.map(each => each[1])).toEqual([...publicPages])
    for (const path of publicPages)
      for (const line of before.text.matchAll(/^Disallow: (.*)$/gm))
        expect(path.startsWith(line[1]!), `${path} ${line[1]}`).toBe(false)
    await set('PublicPricesEnabled', 'false')
    expect((await get('/sitemap.xml')).text).not.toContain('/price')
  })

  it('the manifest has the name of the site and icons that exist', async () => {
    await set('SystemName', 'Models & more')
    const { headers, text } = await get('/manifest.webmanifest')
    expect(headers['content-type']).toBe('application/manifest+json; charset=utf-8')
    const { name, icons } = JSON.parse(text) as {
      name: string
      icons: { src: string; sizes: string }[]
    }
    expect(name).toBe('Models & more')
    for (const { src, sizes } of icons) {
      const path = join(root, 'apps/console/public', src)
      if (!src.endsWith('.png')) expect(statSync(path).size).toBeGreaterThan(0)
      else
        expect(
          `${readFileSync(path).readUInt32BE(16)}x${readFileSync(path).readUInt32BE(20)}`,
        ).toBe(sizes)
    }
    const page = readFileSync(join(root, 'apps/console/index.html'), 'utf8')
    for (const [, href] of page.matchAll(
      /<link rel="(?:icon|apple-touch-icon)"[^>]* href="([^"]+)"/g,
    ))
      expect(statSync(join(root, 'apps/console/public', href!)).size).toBeGreaterThan(0)
    expect(page).toContain('<link rel="manifest" href="/manifest.webmanifest" />')
    const favicon = readFileSync(join(root, 'apps/console/public/favicon.ico'))
    expect(favicon.readUInt16LE(2)).toBe(1)
  })

  it('the public pages are pages of the console', () => {
    const source = readFileSync(join(root, 'apps/console/src/routes.tsx'), 'utf8')
    expect(Object.keys(pagesOf(source))).toEqual(expect.arrayContaining([...publicPages]))
  })
})

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeTempFolder } from '../../../test/temp-folder.ts'
import { registerConsole } from './files.ts'

let root: string
let server: FastifyInstance

beforeEach(async () => {
  root = makeTempFolder()
  for (const folder of ['assets', 'fonts', 'marks']) mkdirSync(join(root, folder))
  for (const [name, text] of Object.entries({
    'index.html': '<html>page</html>',
    'index.html.br': 'page br',
    'index.html.gz': 'page gzip',
    'assets/a-1.js': 'code',
    'assets/a-1.js.br': 'br',
    'assets/a-1.js.gz': 'gzip',
    'favicon.svg': '<svg/>',
    'fonts/font-1.woff2': 'font',
    'marks/openai.svg': '<svg/>',
    '.sources': 'hidden',
  }))
    writeFileSync(join(root, name), text)
  server = Fastify()
  await registerConsole(server, root)
})
afterEach(() => server.close())

const get = async (url: string, headers: Record<string, string> = {}) => {
  const { statusCode, headers: sent, payload } = await server.inject({ url, headers })
  return { status: statusCode, headers: sent, payload }
}

it('console files: hashed ones for a year, the page never, nothing outside and nothing hidden', async () => {
  expect((await get('/assets/a-1.js')).headers['cache-control']).toBe(
    'public, max-age=31536000, immutable',
  )
  for (const url of [
    '/',
    '/login',
    '/panel/channel?page=2',
    '/index.html',
    '/.sources',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/..%2f..%2fetc/passwd',
    '/%00',
  ])
    expect([url, (await get(url)).payload, (await get(url)).headers['cache-control']]).toEqual([
      url,
      '<html>page</html>',
      'no-cache',
    ])
  for (const missing of ['/assets/missing.js', '/fonts/missing.woff2', '/marks/missing.svg'])
    expect((await get(missing)).status).toBe(404)
})

it('fonts are cached for a year and marks for a week; an SVG that is opened runs nothing', async () => {
  expect((await get('/fonts/font-1.woff2')).headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'font/woff2',
  })
  expect((await get('/marks/openai.svg')).headers).toMatchObject({
    'cache-control': 'public, max-age=604800',
    'content-security-policy': expect.stringMatching(/^default-src 'none';/),
  })
  expect((await get('/favicon.svg')).headers['cache-control']).toBe('public, max-age=3600')
})

it('a file compressed at build time is sent in the encoding that the browser accepts', async () => {
  const sent = async (url: string, accept?: string) => {
    const { headers, payload } = await get(url, accept ? { 'accept-encoding': accept } : {})
    return [
      payload,
      headers['content-encoding'],
      headers['content-type'],
      headers['content-length'],
    ]
  }
  const script = 'application/javascript; charset=utf-8'
  const page = 'text/html; charset=utf-8'
  expect(await sent('/assets/a-1.js', 'gzip, deflate, br, zstd')).toEqual(['br', 'br', script, '2'])
  expect(await sent('/assets/a-1.js', 'gzip, deflate')).toEqual(['gzip', 'gzip', script, '4'])
  expect(await sent('/assets/a-1.js', 'br;q=0, gzip')).toEqual(['gzip', 'gzip', script, '4'])
  expect(await sent('/assets/a-1.js')).toEqual(['code', undefined, script, '4'])
  expect(await sent('/assets/a-1.js', 'zstd')).toEqual(['code', undefined, script, '4'])
  expect(await sent('/panel/log', 'gzip, br')).toEqual(['page br', 'br', page, '7'])
  expect(await sent('/favicon.svg', 'gzip, br')).toEqual([
    '<svg/>',
    undefined,
    'image/svg+xml',
    '6',
  ])
})

it('each encoding has its own ETag, caches keep them apart, and no range is cut from one', async () => {
  const accept = { 'accept-encoding': 'gzip, br' }
  for (const url of ['/assets/a-1.js', '/panel']) {
    const packed = await get(url, accept)
    const plain = await get(url)
    for (const { headers } of [packed, plain]) {
      expect(headers.vary).toBe('accept-encoding')
      expect(headers['accept-ranges']).toBeUndefined()
    }
    expect(packed.headers.etag).not.toBe(plain.headers.etag)
    const again = await get(url, { ...accept, 'if-none-match': String(packed.headers.etag) })
    expect([again.status, again.payload]).toEqual([304, ''])
    expect((await get(url, { ...accept, range: 'bytes=0-1' })).status).toBe(200)
  }
})

it('a path that the console’s route table has not is 404: its page for a person, a fault for a program', async () => {
  const pages = ['/', '/login', '/oauth/:provider', '/panel', '/panel/log', '/panel/log/:id']
  const table = JSON.stringify({ pages: Object.fromEntries(pages.map(each => [each, {}])) })
  const html = `<html><script id="preloads" type="application/json">${table}</script></html>`
  for (const ending of ['', '.br', '.gz']) writeFileSync(join(root, `index.html${ending}`), html)
  const page = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  const program = { accept: 'application/json, text/event-stream' }
  for (const url of ['/', '/login', '/login/', '/oauth/github?code=1', '/panel/log/12', '/panel'])
    for (const headers of [page, program, {}])
      expect([url, (await get(url, headers)).status]).toEqual([url, 200])
  for (const url of [
    '/mcp',
    '/nothing',
    '/panel/nothing',
    '/panel/log/1/2',
    '/wp-login.php',
    '/oauth/',
  ]) {
    const shown = await get(url, page)
    expect([url, shown.status, shown.payload]).toEqual([url, 404, html])
    expect([url, (await get(url, program)).status]).toEqual([url, 404])
    expect((await get(url, program)).payload).not.toContain('<html>')
    expect([url, (await get(url)).status]).toEqual([url, 404])
  }
  for (const url of ['/%2e%2e/%2e%2e/etc/passwd', '/..%2f..%2fetc/passwd', '/%00', '/.sources'])
    expect([url, (await get(url)).status]).toEqual([url, 404])
})

it('a console that is not built says how to build it', async () => {
  const bare = Fastify()
  await registerConsole(bare, makeTempFolder())
  const { statusCode, payload } = await bare.inject({ url: '/panel' })
  expect([statusCode, payload]).toEqual([503, expect.stringContaining('npm run build')])
  await bare.close()
})

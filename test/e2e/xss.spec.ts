import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { keepAlive } from '../harness/addresses/keep-alive.ts'
import { callApi } from '../harness/admin.ts'
import { expect, type Hub, openHub, seed, signIn, test } from './hub.ts'
import { dress } from './page-checks.ts'
import { consolePaths, publicPaths } from './paths.ts'
import { words } from './words.ts'

const t = words('en_US')

/** Each would run a script in a page that takes it over as HTML, by one of the ways that filters have overlooked. */
const corpus = [
  '<script>ran()</script>',
  '<script src="data:text/javascript,ran()"></script>',
  '<img src=x onerror=ran()>',
  '<img src="x" onerror="ran()" >',
  '<svg onload=ran()>',
  '<svg><script>ran()</script></svg>',
  '<svg><animate onbegin=ran() attributeName=x dur=1s></svg>',
  '<svg><a xlink:href="javascript:ran()"><text y="20">x</text></a></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=ran()>',
  '<iframe srcdoc="<script>parent.ran()</script>"></iframe>',
  '<iframe src="javascript:parent.ran()"></iframe>',
  '<object data="javascript:ran()"></object>',
  '<embed src="javascript:ran()">',
  '<a href="javascript:ran()">link</a>',
  '<a href="java\tscript:ran()">link</a>',
  '<a href="&#106;avascript:ran()">link</a>',
  '<form action="javascript:ran()"><button>send</button></form>',
  '<button formaction="javascript:ran()">send</button>',
  '<details open ontoggle=ran()>x</details>',
  '<body onload=ran()>',
  '<video><source onerror=ran()></video>',
  '<input autofocus onfocus=ran()>',
  '<marquee onstart=ran()>x</marquee>',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=javascript:ran()">',
  '<link rel=stylesheet href="javascript:ran()">',
  '<style>@import "javascript:ran()";</style>',
  '<div style="position:fixed;inset:0;z-index:99999" onmouseover=ran()>x</div>',
  '<noscript><p title="</noscript><img src=x onerror=ran()>">',
  '[link](javascript:ran())',
  '[link](data:text/html,<script>ran()</script>)',
  '![picture](x"onerror="ran())',
  '<https://x" onmouseover="ran()>',
  '`<img src=x onerror=ran()>`',
  '{{constructor.constructor("ran()")()}}',
]
const all = corpus.join('\n\n')
/** A mark of its own, so that the test knows that a text was shown at all. */
const short = '<img src=x onerror=ran()>'

/** A vendor whose answers and errors are the corpus. */
const startVendor = async () => {
  const server = createServer(keepAlive, async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { model = '', stream } = JSON.parse(body || '{}') as { model?: string; stream?: boolean }
    if (model.includes('broken')) {
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: all, type: short, code: short } }))
      return
    }
    const usage = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 }
    const head = { id: `chatcmpl-${short}`, created: 1, model: short, system_fingerprint: short }
    if (!stream) {
      response.writeHead(200, { 'content-type': 'application/json' })
      const message = { role: 'assistant', content: all }
      const choices = [{ index: 0, message, finish_reason: 'stop' }]
      response.end(JSON.stringify({ ...head, object: 'chat.completion', choices, usage }))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = (data: object) => response.write(`data: ${JSON.stringify(data)}\n\n`)
    const chunk = { ...head, object: 'chat.completion.chunk' }
    for (const content of [...corpus.map(each => `${each}\n\n`), 'The end of the corpus.'])
      send({ ...chunk, choices: [{ index: 0, delta: { role: 'assistant', content } }] })
    send({ ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
    send({ ...chunk, choices: [], usage })
    response.end('data: [DONE]\n\n')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

/** Writes the corpus wherever an administrator, a user, a model or an upstream can write. */
const plant = async ({ gateway, admin }: Hub, vendor: string) => {
  for (const key of ['Notice', 'About', 'HomePageContent', 'Footer'])
    await admin.setOption(key, all)
  await admin.setOption('SystemName', short)
  await admin.setOption('SafeKeyWords', all)
  const links = [
    { name: short, url: 'https://chat.example/#{key}', show: true, sort: 1 },
    { name: 'script', url: 'javascript:ran()', show: true, sort: 2 },
  ]
  await admin.setOption('ChatLinks', JSON.stringify(links))
  await admin
    .addChannel(vendor, {
      ...{ name: short, tag: short, models: `evil-model,broken-model,${short}`, remark: all },
    })
    .catch(() => admin.addChannel(vendor, { name: short, models: 'evil-model,broken-model' }))
  for (const model of ['evil-model', 'broken-model']) await admin.setPrice(model, 'tokens', 1)
  const bearer = { bearer: gateway.accessToken }
  const tryEach = async (method: string, path: string, bodies: object[]) => {
    for (const body of bodies) {
      const answer = await callApi(gateway, bearer, method, path, body)
      if (answer.success) return
    }
  }
  await tryEach('POST', '/api/prices/single', [
    { model: short, type: 'tokens', input: 1, output: 1 },
  ])
  await tryEach('POST', '/api/user_group/', [
    { symbol: 'evil', name: short, ratio: 1, api_rate: 600, public: true },
  ])
  await tryEach('POST', '/api/model_ownedby/', [
    { id: 6666, name: short, icon: 'https://x.example/"onerror="ran()' },
    { id: 6666, name: short, icon: '' },
  ])
  const texts = JSON.stringify([short])
  await tryEach('POST', '/api/model_info/', [
    {
      ...{ model: 'evil-model', name: short, description: all.slice(0, 5000), tags: texts },
      ...{ input_modalities: texts, output_modalities: texts },
      support_url: 'https://x.example/"onerror="ran()',
    },
  ])
  await tryEach('POST', '/api/redemption/', [{ name: short.slice(0, 20), quota: 1, count: 1 }])
  const person = await admin.addPerson(
    1_000_000,
    { name: short },
    { display_name: short.slice(0, 20) },
  )
  for (const model of ['evil-model', 'broken-model'])
    for (const stream of [true, false])
      await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${person.key}`,
          'content-type': 'application/json',
          'user-agent': short,
        },
        body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: all }] }),
      }).then(response => response.text())
  // A name that nobody has, in the audit log.
  await callApi(gateway, {}, 'POST', '/api/user/login', { username: short, password: all })
}

/** Forms that no text may become, wherever it came from. The library's own styles are in the head. */
const forbidden = [
  'body script:not([src^="/assets/"])',
  'iframe[srcdoc], iframe[src^="javascript" i], object, embed',
  'main base, main meta, main link, main style',
  'main form[action], footer form, [formaction]',
  '[href^="javascript" i], [href^="data:" i]',
].join(', ')

const nothingRan = async (page: Page, where: string) => {
  expect.soft(await page.evaluate('window.runs'), `${where}: scripts that ran`).toBe(0)
  const elements = await page.evaluate<string[]>(
    `[...document.querySelectorAll(${JSON.stringify(forbidden)})].map(each => each.outerHTML.slice(0, 120))`,
  )
  expect.soft(elements, `${where}: elements`).toEqual([])
  const handlers = await page.evaluate<string[]>(
    `[...document.querySelectorAll('*')].flatMap(each => each.getAttributeNames().filter(name => name.startsWith('on')))`,
  )
  expect.soft(handlers, `${where}: handlers`).toEqual([])
}

test('S12 nothing that an administrator, a user, a model or an upstream writes runs in the console', async ({
  page,
}) => {
  test.setTimeout(300_000)
  const hub = await openHub()
  const vendor = await startVendor()
  await seed(hub)
  await plant(hub, vendor.url)
  await dress(page, 'en_US')
  await page.addInitScript('window.runs = 0; window.ran = () => { window.runs += 1 }')
  const dialogs: string[] = []
  page.on('dialog', dialog => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  const visit = async (path: string) => {
    await page.goto(`${hub.gateway.url}${path}`)
    await page.locator('main').waitFor()
    await page.waitForLoadState('networkidle')
    await nothingRan(page, path)
  }
  await test.step('public pages', async () => {
    for (const path of [...publicPaths, '/jump?url=javascript:ran()']) await visit(path)
    await page.goto(`${hub.gateway.url}/about`)
    await expect(page.locator('main').getByText('link').first()).toBeVisible()
    await page.getByRole('button', { name: t('notice.title') }).click()
    await nothingRan(page, 'the notice')
  })
  await signIn(page, hub)
  await test.step('pages of the console', async () => {
    for (const path of consolePaths) await visit(path)
  })
  await test.step('an answer of a model', async () => {
    await page.goto(`${hub.gateway.url}/panel/playground`)
    const model = page.getByRole('combobox', { name: t('playground.model') })
    await expect(model).not.toHaveValue('')
    await model.fill('evil-model')
    await page.getByRole('option', { name: 'evil-model' }).click()
    await page.getByLabel(t('playground.message')).fill('Say something.')
    await page.keyboard.press('Enter')
    await expect(page.getByText('The end of the corpus.').first()).toBeVisible()
    await page.waitForLoadState('networkidle')
    await nothingRan(page, 'an answer')
  })
  await test.step('an error of an upstream', async () => {
    await page.goto(`${hub.gateway.url}/panel/log?tab=errors`)
    await page.waitForLoadState('networkidle')
    await nothingRan(page, 'the error log')
  })
  expect(dialogs).toEqual([])
  const { headers } = await page.request.get(`${hub.gateway.url}/`).then(async response => ({
    headers: response.headers(),
  }))
  const [, scripts = ''] = /script-src ([^;]*)/.exec(headers['content-security-policy'] ?? '') ?? []
  expect(scripts).toBe("'self'")
  vendor.close()
  await hub.close()
})

// Runs before the first paint. A file of its own, because the policy allows no inline script.
;(() => {
  const root = document.documentElement
  const path = location.pathname.replace(/\/+$/, '') || '/'

  const stored = key => {
    try {
      return localStorage.getItem(key)
    } catch {
      // Storage may be forbidden: then the browser's preferences are obeyed.
      return null
    }
  }
  const store = (key, value) => {
    try {
      localStorage.setItem(key, value)
    } catch {
      // Without storage every visit is a first visit.
    }
  }

  // Zod would try to compile code, which the policy of the site forbids and browsers report as a violation.
  globalThis.__zod_globalConfig = { jitless: true }

  // The skeleton of a dark page must not flash white.
  const theme = stored('theme')
  const dark = matchMedia('(prefers-color-scheme: dark)').matches
  root.dataset.theme = theme === 'dark' || theme === 'light' ? theme : dark ? 'dark' : 'light'
  root.dataset.layout = /^\/panel(\/|$)/.test(path) ? 'console' : 'public'

  // The first visit shows the system's font, because no page may wait for a font or transfer more than its limit. The
  // first input loads the font; later pages find it in the cache before their first text is painted.
  const fontFile = '/fonts/inter-4.1-latin.woff2'
  const font = new FontFace('Inter', `url(${fontFile})`, { weight: '400 600' })
  const loadFont = () =>
    font.load().then(
      () => {
        document.fonts.add(font)
        store('font', fontFile)
      },
      () => undefined,
    )
  if (stored('font') === fontFile) loadFont()
  else
    for (const input of ['pointerdown', 'keydown'])
      addEventListener(input, loadFont, { once: true })

  // Both calls are made on every page. `api/client.ts` takes the responses.
  window.earlyResponses = {}
  for (const address of ['/api/status', '/api/user/session']) {
    window.earlyResponses[address] = fetch(address, { credentials: 'same-origin' })
    window.earlyResponses[address].catch(() => undefined)
  }

  // The build lists the files of each page (`preloads.ts`); the development server has no list.
  const list = document.getElementById('preloads')
  if (!list) return
  const { files, pages, texts } = JSON.parse(list.textContent)
  const page = pages[path]
  if (!page) return
  const isTraditional = tag => /^zh-(hant|tw|hk|mo)\b/i.test(tag)
  // A wrong guess only loads a file too early.
  const guesses = navigator.languages.map(tag =>
    isTraditional(tag)
      ? 'zh_HK'
      : Object.keys(texts).find(each => each.slice(0, 2) === tag.slice(0, 2)),
  )
  const language = stored('appLanguage') ?? guesses.find(Boolean)
  const groups = texts[language] ?? {}
  for (const file of [...page.files, ...page.texts.map(group => groups[group])]) {
    if (file === undefined) continue
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = `/assets/${files[file]}`
    document.head.append(link)
  }
})()

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

  // The skeleton of a dark page must not flash white.
  const theme = stored('theme')
  const dark = matchMedia('(prefers-color-scheme: dark)').matches
  root.dataset.theme = theme === 'dark' || theme === 'light' ? theme : dark ? 'dark' : 'light'
  root.dataset.layout = /^\/panel(\/|$)/.test(path) ? 'console' : 'public'

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

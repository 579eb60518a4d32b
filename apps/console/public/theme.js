// Before the first paint, so that a dark page never flashes white. A file of its own: the policy allows no inline script.
;(() => {
  let wanted = null
  try {
    wanted = localStorage.getItem('theme')
  } catch {
    // Storage may be forbidden; the system's choice is good enough.
  }
  const dark = matchMedia('(prefers-color-scheme: dark)').matches
  const theme = wanted === 'dark' || wanted === 'light' ? wanted : dark ? 'dark' : 'light'
  document.documentElement.dataset.theme = theme
})()

import type { CDPSession, Page } from '@playwright/test'

type Clip = { x: number; y: number; width: number; height: number }
/** An element that has the focus. Elements of one `kind` have the same styles in the same surroundings. */
type Stop = { kind: string; name: string }
type Pictures = { before: string; after: string }
export type Theme = 'light' | 'dark'

/** Room for a ring of 2 px that stands 2 px away from its element. */
const margin = 5
/** WCAG 2.2, 1.4.11 and 2.4.13: the contrast of a focus ring with what it covers. */
const contrastMin = 3

/** They take the focus for screen readers, are hidden by a dialog, or guard it and pass the focus on. */
const containers =
  '[aria-hidden=true] *, main, h1, [role=dialog], [role=alertdialog], [data-testid^=sentinel], .MuiDialog-container'

/** Runs in the page: describes the focused element, once. */
const describeFocused = `(() => {
  const element = document.activeElement
  if (!element || element === document.body) return null
  if (element.matches('${containers}')) return { kind: '', name: '' }
  window.visited ??= new Set()
  if (window.visited.has(element)) return null
  window.visited.add(element)
  const { parentElement } = element
  const path = [element, parentElement, parentElement.parentElement].map(
    each => each.tagName + '.' + [...each.classList].sort().join('.'),
  )
  const text = element.getAttribute('aria-label') ?? element.textContent
  return { kind: path.join(' '), name: path[0] + ' "' + text.slice(0, 40) + '"' }
})()`

/** Runs in the page: where the focus is seen. The frame of a field shows it, and the label of a hidden control. */
const measureFocused = `(async () => {
  // The skip link comes into view with the focus.
  await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  const element = document.activeElement
  const isHidden = element.getBoundingClientRect().width < 4
  const isField = element.matches('.MuiInputBase-input')
  const frame = element.closest(isHidden ? 'label' : isField ? '.MuiInputBase-root' : '*')
  const box = (frame ?? element).getBoundingClientRect()
  const left = Math.max(0, box.left - ${margin})
  const top = Math.max(0, box.top - ${margin})
  return {
    x: scrollX + left,
    y: scrollY + top,
    width: Math.max(1, Math.min(innerWidth, box.right + ${margin}) - left),
    height: Math.max(1, Math.min(innerHeight, box.bottom + ${margin}) - top),
  }
})()`

/** Runs in a blank page: the number of pixels that differ by the contrast, for each pair of pictures. */
const countChanged = (pairs: Pictures[]) => `(async () => {
  const pixelsOf = async picture => {
    const image = new Image()
    image.src = 'data:image/png;base64,' + picture
    await image.decode()
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')
    canvas.drawImage(image, 0, 0)
    return canvas.getImageData(0, 0, image.width, image.height).data
  }
  const linear = value => (value <= 10 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4)
  const luminance = (data, at) =>
    0.2126 * linear(data[at]) + 0.7152 * linear(data[at + 1]) + 0.0722 * linear(data[at + 2])
  const counts = []
  for (const { before, after } of ${JSON.stringify(pairs)}) {
    const [a, b] = [await pixelsOf(before), await pixelsOf(after)]
    let count = 0
    for (let at = 0; at < a.length; at += 4) {
      if (a[at] === b[at] && a[at + 1] === b[at + 1] && a[at + 2] === b[at + 2]) continue
      const [x, y] = [luminance(a, at) + 0.05, luminance(b, at) + 0.05]
      if (Math.max(x, y) / Math.min(x, y) >= ${contrastMin}) count += 1
    }
    counts.push(count)
  }
  return counts
})()`

const capture = async (devtools: CDPSession, clip: Clip): Promise<string> => {
  const { data } = await devtools.send('Page.captureScreenshot', {
    clip: { ...clip, scale: 1 },
    optimizeForSpeed: true,
  })
  return data
}

const otherTheme = { light: 'dark', dark: 'light' } as const

type Capture = Pictures & { theme: Theme; perimeter: number }

/** Captures the focused element in both themes, with and without its focus, which it keeps. */
const captureStop = async (page: Page, devtools: CDPSession): Promise<Capture[]> => {
  const own = await page.evaluate<Theme>('document.documentElement.dataset.theme')
  const captures: Capture[] = []
  for (const theme of [own, otherTheme[own]]) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
    const clip = await page.evaluate<Clip>(measureFocused)
    await page.evaluate('window.focused = document.activeElement, focused.blur()')
    const before = await capture(devtools, clip)
    await page.evaluate('focused.focus({ preventScroll: true })')
    const after = await capture(devtools, clip)
    const perimeter = 2 * (clip.width + clip.height - 4 * margin)
    captures.push({ theme, before, after, perimeter })
  }
  return captures
}

/** Tooltips that a focus opens are not its ring, and a caret blinks. */
const quietStyle = '.MuiTooltip-popper { display: none } * { caret-color: transparent !important }'

/** Pixels of round corners mix both colours. */
const roundedShare = 0.75

type Finding = { theme: Theme; name: string; share: number }

/**
 * Walks through the open page with the tab key and returns the elements whose focus is not visible: where fewer pixels
 * change than a ring of 1 px has. `known` holds the kinds that were looked at.
 */
export const findInvisibleFocus = async (
  page: Page,
  blank: Page,
  known: Set<string>,
): Promise<Finding[]> => {
  const devtools = await page.context().newCDPSession(page)
  await page.addStyleTag({ content: quietStyle })
  // Charts draw themselves when they come near the view, which moves what is below them.
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
  await page.waitForLoadState('networkidle')
  await page.evaluate('scrollTo(0, 0)')
  const pairs: (Capture & { name: string })[] = []
  let stops = 0
  // From here on the browser shows every focus as one of the keyboard.
  await page.keyboard.press('Shift')
  for (;;) {
    const stop = await page.evaluate<Stop | null>(describeFocused)
    if (!stop && stops > 0) break
    if (stop?.kind && !known.has(stop.kind)) {
      known.add(stop.kind)
      for (const each of await captureStop(page, devtools)) pairs.push({ ...each, name: stop.name })
    }
    stops += 1
    await page.keyboard.press('Tab')
  }
  await devtools.detach()
  const counts = await blank.evaluate<number[]>(countChanged(pairs))
  return pairs.flatMap(({ theme, name, perimeter }, at) =>
    counts[at]! < perimeter * roundedShare ? [{ theme, name, share: counts[at]! / perimeter }] : [],
  )
}

import type { Page } from '@playwright/test'

export type ScrollResult = {
  name: string
  rows: number
  /** Animation frames in a second of scrolling. */
  framesPerSecond: number
  /** Frames later than 33 ms after the one before, of all. */
  lateShare: number
  slowestFrameMs: number
}

/** Pixels in a second: a quick turn of the wheel. */
const speed = 2_000
const scrolledPixels = 4_000

/** Runs in the page: the time of each animation frame, and how often something scrolled. */
const recordFrames = `
  window.frameTimes = []
  window.scrolls = 0
  window.addEventListener('scroll', () => { window.scrolls += 1 }, { capture: true })
  const onFrame = time => {
    window.frameTimes.push(time)
    window.frame = requestAnimationFrame(onFrame)
  }
  window.frame = requestAnimationFrame(onFrame)
`
const stopRecording = `(() => {
  cancelAnimationFrame(window.frame)
  return [window.frameTimes, window.scrolls]
})()`

/**
 * Scrolls down and up again with gestures of the wheel, and counts animation frames meanwhile: the main thread renders
 * rows that come into view, so a frame that it misses is one in which the page could not be updated.
 */
export const measureScroll = async (
  page: Page,
  { name, selector }: { name: string; selector: string },
): Promise<ScrollResult> => {
  const first = page.locator(selector).first()
  const box = await first.boundingBox()
  if (!box) throw new Error(`${name} shows nothing to scroll`)
  const rows = await page.locator(selector).count()
  const session = await page.context().newCDPSession(page)
  const [x, y] = [Math.min(box.x + 100, 1_200), Math.min(box.y + 60, 800)]
  await page.evaluate(recordFrames)
  for (const yDistance of [-scrolledPixels, scrolledPixels])
    await session.send('Input.synthesizeScrollGesture', {
      ...{ x, y, yDistance, speed, gestureSourceType: 'mouse' },
    })
  const [frames, scrolls] = await page.evaluate<[number[], number]>(stopRecording)
  await session.detach()
  const gaps = frames.slice(1).map((time, at) => time - frames[at]!)
  const seconds = gaps.reduce((sum, gap) => sum + gap, 0) / 1000
  return {
    // A page that did not scroll breaks its bound instead of ending a run of hours.
    ...{ name, rows, framesPerSecond: scrolls === 0 ? 0 : gaps.length / seconds },
    lateShare: gaps.filter(gap => gap > 33.4).length / gaps.length,
    slowestFrameMs: Math.max(...gaps),
  }
}

/** The frames of a page without content: the most that Chromium shows on this machine. */
export const measureEmptyScroll = async (page: Page): Promise<ScrollResult> => {
  await page.setContent('<p style="height: 9000px">An empty page</p>')
  return measureScroll(page, { name: 'a page without content', selector: 'p' })
}

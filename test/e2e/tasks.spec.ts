import type { Page } from '@playwright/test'
import { expect, makeVideo, signIn, test } from './hub.ts'
import { dress, looksRight } from './page-checks.ts'
import { words } from './words.ts'

const t = words('en_US')

/**
 * Records half a second of a canvas, as a video that the browser can play. A busy machine may encode no frame in that time:
 * then it records once more.
 */
const recordVideo = async (page: Page): Promise<Buffer> => {
  const numbers = await page.evaluate<number[]>(`(async () => {
    const record = () => new Promise(resolve => {
      const canvas = document.createElement('canvas')
      canvas.width = canvas.height = 64
      const context = canvas.getContext('2d')
      const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm' })
      const chunks = []
      recorder.ondataavailable = ({ data }) => chunks.push(data)
      recorder.onstop = () => {
        clearInterval(drawing)
        resolve(new Blob(chunks))
      }
      const drawing = setInterval(() => {
        context.fillStyle = 'hsl(' + performance.now() % 360 + ' 80% 50%)'
        context.fillRect(0, 0, 64, 64)
      }, 40)
      recorder.start()
      setTimeout(() => recorder.stop(), 500)
    })
    const widthOf = blob => new Promise(resolve => {
      const video = document.createElement('video')
      video.onloadedmetadata = () => resolve(video.videoWidth)
      video.onerror = () => resolve(0)
      video.src = URL.createObjectURL(blob)
    })
    for (;;) {
      const blob = await record()
      if (await widthOf(blob) === 64) return [...new Uint8Array(await blob.arrayBuffer())]
    }
  })()`)
  return Buffer.from(numbers)
}

test('a task goes on while the page is open, plays its result, and leads to its charge and back', async ({
  page,
  seeded,
}) => {
  const { gateway, kling } = seeded
  kling.video = await recordVideo(page)
  await dress(page, 'en_US')
  await signIn(page, seeded)
  await makeVideo(gateway, 'A cat in the rain')
  const task = [...kling.tasks.values()].at(-1)!
  await page.goto(`${gateway.url}/panel/task`)
  const row = page.locator('main tbody tr').first()
  await expect(row).toContainText(/Queued|In progress/)
  task.status = 'succeed'
  await expect(row).toContainText('Done', { timeout: 60_000 })

  await row.click()
  const video = page.getByLabel(t('tasks.kinds.video'))
  await expect.poll(() => video.evaluate(element => Reflect.get(element, 'videoWidth'))).toBe(64)
  await looksRight(page)
  await page.getByRole('button', { name: t('tasks.showRaw') }).click()
  await expect(page.getByLabel(t('tasks.rawRequest'))).toBeVisible()
  await page.getByRole('link', { name: t('tasks.log') }).click()
  await expect(page).toHaveURL(/\/panel\/log\?id=\d+&open=\d+/)
  await page.getByRole('link', { name: t('logs.receipt.task') }).click()
  await expect(page).toHaveURL(/\/panel\/task\?task_id=task_\w+&open=\d+/)
  await expect(page.getByRole('dialog')).toContainText(/task_\w{32}/)
})

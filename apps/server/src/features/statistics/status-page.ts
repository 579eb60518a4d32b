import { Fault, type Monitor, type StatusPage } from '@hub/contract'
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import { fetchText } from '../../relay/upstream/fetch-text.ts'

const limits = { timeoutMs: 5_000, bytesMax: 2 * 1024 * 1024 }
const maxAgeMs = 30_000
const heartbeatsMax = 50

/** The parts of Uptime Kuma's answers that are shown; https://github.com/louislam/uptime-kuma/wiki/Status-Page */
const Page = z.object({
  publicGroupList: z.array(
    z.object({
      name: z.string(),
      monitorList: z.array(z.object({ id: z.number(), name: z.string() })),
    }),
  ),
})
const Heartbeats = z.object({
  heartbeatList: z.record(
    z.string(),
    z.array(z.object({ status: z.number().int().min(0).max(3), time: z.string() })),
  ),
  uptimeList: z.record(z.string(), z.number().nullable()),
})

const cache = appScoped(() => ({
  url: '',
  at: 0,
  page: undefined as Promise<StatusPage> | undefined,
}))

/** Reads the status page at most every 30 s per process, however many dashboards are open. */
export const statusPage = (app: App): Promise<StatusPage> => {
  const { UptimeEnabled, UptimeDomain, UptimePageName } = app.settings().uptime
  if (!UptimeEnabled) throw new Fault('resource.missing')
  const base = UptimeDomain.replace(/\/+$/, '')
  const url = `${base} ${UptimePageName}`
  const cached = cache(app)
  if (cached.page && cached.url === url && app.monotonic() - cached.at < maxAgeMs)
    return cached.page
  const page = load(app, base, UptimePageName)
  Object.assign(cached, { url, at: app.monotonic(), page })
  // A failure is not kept: the next dashboard asks again.
  page.catch(() => {
    if (cached.page === page) cached.page = undefined
  })
  return page
}

const load = async (app: App, base: string, name: string): Promise<StatusPage> => {
  const [{ publicGroupList }, { heartbeatList, uptimeList }] = await Promise.all([
    read(app, `${base}/api/status-page/${name}`, Page),
    read(app, `${base}/api/status-page/heartbeat/${name}`, Heartbeats),
  ])
  const monitorOf = ({ id, name }: { id: number; name: string }): Monitor => {
    const heartbeats = (heartbeatList[id] ?? []).slice(-heartbeatsMax)
    return {
      id,
      name,
      status: heartbeats.at(-1)?.status ?? null,
      uptime: uptimeList[`${id}_24`] ?? null,
      heartbeats,
    }
  }
  return {
    groups: publicGroupList.map(({ name, monitorList }) => ({
      name,
      monitors: monitorList.map(monitorOf),
    })),
  }
}

const read = async <S extends z.ZodType>(
  app: App,
  url: string,
  schema: S,
): Promise<z.output<S>> => {
  try {
    const { status, text } = await fetchText(app, url, limits)
    if (status !== 200)
      throw new Fault('status_page.unavailable', { hint: `It answered ${status}.` })
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    if (cause instanceof Fault) throw cause
    throw new Fault('status_page.unavailable', { cause })
  }
}

import type { Gateway } from './gateway.ts'

const watcher = { user: 'watcher', password: 'watched-by-a-test' }

/** Environment variables that enable the metrics endpoint. */
export const metricsEnvironment = { METRICS_USER: watcher.user, METRICS_PASSWORD: watcher.password }

/** Every metric of the gateway by its name and labels as written; absent: it was never counted. */
export const figuresOf = async (gateway: Gateway): Promise<Map<string, number>> => {
  const credentials = Buffer.from(`${watcher.user}:${watcher.password}`).toString('base64')
  const headers = { authorization: `Basic ${credentials}` }
  const response = await fetch(`${gateway.url}/api/metrics`, { headers })
  if (response.status !== 200) throw new Error(`the metrics were refused with ${response.status}`)
  const lines = (await response.text()).split('\n').filter(line => line !== '' && line[0] !== '#')
  return new Map(
    lines.map(line => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end + 1))]
    }),
  )
}
